import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleCheck, CircleX } from 'lucide-react';
import { deployments, projects, teams } from '#web/foundation/api/services.ts';
import { ORG_ROLE_LABELS, TEAM_ROLE_LABELS } from '#web/foundation/format/labels.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { CopyAsMenu } from '#web/ui/clipboard/copy-as-menu.tsx';
import { Page } from '#web/ui/page/page.tsx';
import { EmptyState, LoadingRows, ProblemView } from '#web/ui/page/view-states.tsx';
import { PersonSelect, ProjectSelect } from '../parts/person-project-select.tsx';
import { useSettingsSearch } from '../parts/use-settings-search.ts';
import './people.css';

/** Explains why a person can or cannot see a project. */
export function AccessSection() {
  const { id: deploymentId } = useOrg();
  const { search, update } = useSettingsSearch();
  const { person, project } = search;
  const chosen = person === undefined || project === undefined ? undefined : { userId: person, projectId: project };
  return (
    <Page
      title="Access inspector"
      actions={
        chosen && (
          <CopyAsMenu operationId="TeamsService_ExplainAccess" input={{ path: { deploymentId }, query: chosen }} />
        )
      }
    >
      <div className="settings-row">
        <PersonSelect label="Person" value={usePerson(person)} onPick={(id) => update({ person: id })} />
        <ProjectSelect label="Project" value={useProject(project)} onPick={(id) => update({ project: id })} />
      </div>
      {chosen ? (
        <AccessExplanation {...chosen} />
      ) : (
        <EmptyState
          title="Choose a person and a project"
          why="See whether the person has access to the project, and why."
        />
      )}
    </Page>
  );
}

function usePerson(id: string | undefined) {
  const { id: deploymentId } = useOrg();
  const { data } = useQuery({
    queryKey: [deploymentId, 'settings', 'person', id],
    enabled: id !== undefined,
    queryFn: async ({ signal }) => {
      const body = { filters: { memberIds: [id ?? ''] } };
      const { users } = await deployments.listDeploymentUsers({ path: { deploymentId }, body }, { signal });
      return users[0] ?? null;
    },
  });
  return id === undefined ? undefined : { id, name: data ? `${data.name} (${data.email})` : `Person ${id}` };
}

function useProject(id: string | undefined) {
  const { id: deploymentId } = useOrg();
  const { data } = useQuery({
    queryKey: [deploymentId, 'settings', 'project', id],
    enabled: id !== undefined,
    queryFn: async ({ signal }) => {
      const body = { filters: { ids: [id ?? ''] } };
      return (await projects.searchRepos({ path: { deploymentId }, body }, { signal })).repos[0] ?? null;
    },
  });
  return id === undefined ? undefined : { id, name: data?.name ?? `Project ${id}` };
}

function AccessExplanation({ userId, projectId }: { userId: string; projectId: string }) {
  const { id: deploymentId, slug } = useOrg();
  const explanation = useQuery({
    queryKey: [deploymentId, 'settings', 'access', userId, projectId],
    queryFn: ({ signal }) => teams.explainAccess({ path: { deploymentId }, query: { userId, projectId } }, { signal }),
  });
  if (explanation.isPending) return <LoadingRows rows={3} />;
  if (explanation.isError) return <ProblemView error={explanation.error} onRetry={() => void explanation.refetch()} />;
  const { isVisible, role, chain, permissions } = explanation.data;
  return (
    <section className="access-explanation" aria-live="polite">
      <h2>
        {isVisible ? <CircleCheck size={20} aria-hidden="true" /> : <CircleX size={20} aria-hidden="true" />}
        {isVisible ? 'This person can see the project' : 'This person cannot see the project'}
      </h2>
      <p className="settings-note" data-kind={isVisible ? 'good' : 'bad'}>
        Role in the organization: {ORG_ROLE_LABELS[role] ?? role}.
        {!isVisible && ' None of their teams has the project: add the person or the project to a team.'}
      </p>
      {chain.length > 0 && (
        <ol className="access-chain" aria-label="Reasons">
          {chain.map(({ kind, text, teamId, teamName, teamRole }) => (
            <li key={`${kind} ${teamId} ${text}`}>
              {text}{' '}
              {teamId !== undefined && (
                <Link to="/o/$slug/settings/{-$section}/{-$item}" params={{ slug, section: 'teams', item: teamId }}>
                  {teamName}
                </Link>
              )}
              {teamRole !== undefined && <span className="dimmed"> ({TEAM_ROLE_LABELS[teamRole] ?? teamRole})</span>}
            </li>
          ))}
        </ol>
      )}
      <details>
        <summary>Permissions ({permissions.length})</summary>
        <p className="mono">{permissions.join(' · ') || 'none'}</p>
      </details>
    </section>
  );
}
