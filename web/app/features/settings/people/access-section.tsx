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

/** Why a person sees a project: every reason there is, or that there is none. */
export function AccessSection() {
  const { id: deploymentId } = useOrg();
  const { search, put } = useSettingsSearch();
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
        <PersonSelect label="Person" value={usePerson(person)} onPick={(id) => put({ person: id })} />
        <ProjectSelect label="Project" value={useProject(project)} onPick={(id) => put({ project: id })} />
      </div>
      {chosen ? (
        <Answer {...chosen} />
      ) : (
        <EmptyState
          title="Choose a person and a project"
          why="The page then tells whether they see it, and through what."
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

function Answer({ userId, projectId }: { userId: string; projectId: string }) {
  const { id: deploymentId, slug } = useOrg();
  const answer = useQuery({
    queryKey: [deploymentId, 'settings', 'access', userId, projectId],
    queryFn: ({ signal }) => teams.explainAccess({ path: { deploymentId }, query: { userId, projectId } }, { signal }),
  });
  if (answer.isPending) return <LoadingRows rows={3} />;
  if (answer.isError) return <ProblemView error={answer.error} onRetry={() => void answer.refetch()} />;
  const { isVisible, role, chain, permissions } = answer.data;
  return (
    <section className="access-answer" aria-live="polite">
      <h2>
        {isVisible ? <CircleCheck size={20} aria-hidden="true" /> : <CircleX size={20} aria-hidden="true" />}
        {isVisible ? 'They see the project' : 'They do not see the project'}
      </h2>
      <p className="settings-note" data-kind={isVisible ? 'good' : 'bad'}>
        Role in the organization: {ORG_ROLE_LABELS[role] ?? role}.
        {!isVisible && ' No team of theirs has the project: put one of them into a team of the other.'}
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
        <summary>What they may do there ({permissions.length})</summary>
        <p className="mono">{permissions.join(' · ') || 'nothing'}</p>
      </details>
    </section>
  );
}
