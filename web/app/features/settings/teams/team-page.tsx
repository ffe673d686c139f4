import { Tabs, TextInput } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useOrg } from '#web/foundation/session/org.ts';
import { CopyAsMenu } from '#web/ui/clipboard/copy-as-menu.tsx';
import { UnsavedChangesGuard } from '#web/ui/dialog/unsaved-changes-guard.tsx';
import { Page } from '#web/ui/page/page.tsx';
import { TabList } from '#web/ui/page/tab-list.tsx';
import { LoadingRows, ProblemView } from '#web/ui/page/view-states.tsx';
import { SaveBar } from '../parts/save-bar.tsx';
import { useSettingsSearch } from '../parts/use-settings-search.ts';
import { DeleteTeam } from './delete-team.tsx';
import { type LoadedTeam, teamQuery, teamsQuery } from './model/queries.ts';
import { applyEdits, countChanges, diffTeams, NO_EDITS, withName } from './model/team-edits.ts';
import { ancestorsOf } from './model/team-tree.ts';
import { PeopleTab } from './people-tab.tsx';
import { ProjectsTab } from './projects-tab.tsx';
import { ReviewTeam } from './review-team.tsx';
import { SubTeamsTab } from './sub-teams-tab.tsx';

/** A team page; edits are staged and saved together after a review. */
export function TeamPage({ teamId }: { teamId: string }) {
  const { id: deploymentId } = useOrg();
  const loaded = useQuery(teamQuery({ deploymentId, teamId }));
  if (loaded.isPending)
    return (
      <Page title="Team">
        <LoadingRows />
      </Page>
    );
  const problem = loaded.error && <ProblemView error={loaded.error} onRetry={() => void loaded.refetch()} />;
  if (!loaded.data) return <Page title="Team">{problem}</Page>;
  return (
    <>
      {problem}
      <TeamEditor loaded={loaded.data} />
    </>
  );
}

function TeamEditor({ loaded }: { loaded: LoadedTeam }) {
  const org = useOrg();
  const { search, update } = useSettingsSearch();
  const [edits, setEdits] = useState(NO_EDITS);
  const [isReviewing, setIsReviewing] = useState(false);
  const { team, state } = loaded;
  const after = applyEdits(state, edits);
  const changes = countChanges(diffTeams(state, after));
  const canManage = org.may('team:manage') || team.authorizedScopes.includes('TEAM_SCOPE_MANAGE');
  const tabProps = { loaded, edits, canManage, onEdit: setEdits };
  const path = { deploymentId: org.id, teamId: team.id };
  const tabs: [id: string, name: string, panel: ReactNode][] = [
    ['projects', `Projects (${after.projects.size})`, <ProjectsTab key="projects" {...tabProps} />],
    ['people', `People (${after.people.size})`, <PeopleTab key="people" {...tabProps} />],
    ['teams', `Sub-teams (${team.childTeamCount})`, <SubTeamsTab key="teams" {...tabProps} />],
  ];
  const tab = tabs.find(([id]) => id === search.tab)?.[0] ?? 'projects';
  return (
    <Page
      title={team.name}
      actions={
        <>
          <CopyAsMenu operationId="TeamsService_GetDeploymentTeam" input={{ path }} />
          <DeleteTeam team={team} canManage={canManage} isEdited={changes > 0} />
        </>
      }
    >
      <TeamPath teamId={team.id} name={team.name} />
      {canManage ? (
        <TextInput
          label="Name"
          className="settings-filter"
          maxLength={128}
          value={after.name}
          onChange={(event) => setEdits(withName(edits, event.currentTarget.value))}
        />
      ) : (
        <p className="settings-note">
          You do not manage this team. Ask an administrator or one of its managers to change it.
        </p>
      )}
      <Tabs value={tab} onChange={(next) => update({ tab: next ?? undefined, q: undefined })} keepMounted={false}>
        <TabList open={tab}>
          {tabs.map(([id, name]) => (
            <Tabs.Tab key={id} value={id} data-tab={id}>
              {name}
            </Tabs.Tab>
          ))}
        </TabList>
        {tabs.map(([id, , panel]) => (
          <Tabs.Panel key={id} value={id} className="team-tab">
            {panel}
          </Tabs.Panel>
        ))}
      </Tabs>
      {changes > 0 && (
        <SaveBar
          changes={changes}
          actionLabel="Review"
          onDiscard={() => setEdits(NO_EDITS)}
          onSave={() => setIsReviewing(true)}
        />
      )}
      {isReviewing && (
        <ReviewTeam
          loaded={loaded}
          edits={edits}
          onSaved={() => setEdits(NO_EDITS)}
          onClose={() => setIsReviewing(false)}
        />
      )}
      <UnsavedChangesGuard isOn={changes > 0} />
    </Page>
  );
}

function TeamPath({ teamId, name }: { teamId: string; name: string }) {
  const { id: deploymentId, slug } = useOrg();
  const { data } = useInfiniteQuery(teamsQuery(deploymentId));
  const teams = (data?.pages ?? []).flatMap((page) => page.teams);
  const above = ancestorsOf(teamId, teams).reverse();
  return (
    <nav className="team-path" aria-label="Breadcrumb">
      <ol>
        {[undefined, ...above].map((id) => (
          <li key={id ?? 'all'}>
            <Link to="/o/$slug/settings/{-$section}/{-$item}" params={{ slug, section: 'teams', item: id }}>
              {id === undefined ? 'Teams' : teams.find((team) => team.id === id)?.name}
            </Link>
          </li>
        ))}
        <li aria-current="page">{name}</li>
      </ol>
    </nav>
  );
}
