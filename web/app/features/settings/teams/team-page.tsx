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
import { PeopleTab } from './people-tab.tsx';
import { ProjectsTab } from './projects-tab.tsx';
import { type LoadedTeam, teamQuery, teamsQuery } from './queries.ts';
import { ReviewTeam } from './review-team.tsx';
import { SubTeamsTab } from './sub-teams-tab.tsx';
import { applyEdits, countChanges, diffTeams, NO_EDITS, type TeamEdits, withName } from './team-edits.ts';
import { ancestorsOf } from './team-tree.ts';

/** One team: edits are gathered here, and become one change after a review. */
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

/** What the tabs are handed: the team as it is, what shall change, and how to change that. */
export interface TeamTabProps {
  loaded: LoadedTeam;
  staged: TeamEdits;
  mayManage: boolean;
  stage: (staged: TeamEdits) => void;
}

function TeamEditor({ loaded }: { loaded: LoadedTeam }) {
  const org = useOrg();
  const { search, put } = useSettingsSearch();
  const [staged, setStaged] = useState(NO_EDITS);
  const [isReviewing, setIsReviewing] = useState(false);
  const { team, state } = loaded;
  const after = applyEdits(state, staged);
  const changes = countChanges(diffTeams(state, after));
  const mayManage = org.may('team:manage') || team.authorizedScopes.includes('TEAM_SCOPE_MANAGE');
  const editing = { loaded, staged, mayManage, stage: setStaged };
  const path = { deploymentId: org.id, teamId: team.id };
  const tabs: [id: string, name: string, panel: ReactNode][] = [
    ['projects', `Projects (${after.projects.size})`, <ProjectsTab key="projects" {...editing} />],
    ['people', `People (${after.people.size})`, <PeopleTab key="people" {...editing} />],
    ['teams', `Sub-teams (${team.childTeamCount})`, <SubTeamsTab key="teams" {...editing} />],
  ];
  const tab = tabs.find(([id]) => id === search.tab)?.[0] ?? 'projects';
  return (
    <Page
      title={team.name}
      actions={
        <>
          <CopyAsMenu operationId="TeamsService_GetDeploymentTeam" input={{ path }} />
          <DeleteTeam team={team} mayManage={mayManage} isEdited={changes > 0} />
        </>
      }
    >
      <TeamPath teamId={team.id} name={team.name} />
      {mayManage ? (
        <TextInput
          label="Name"
          className="settings-filter"
          maxLength={128}
          value={after.name}
          onChange={(event) => setStaged(withName(staged, event.currentTarget.value))}
        />
      ) : (
        <p className="settings-note">
          To change this team one must manage it: ask an administrator or one of its managers.
        </p>
      )}
      <Tabs value={tab} onChange={(next) => put({ tab: next ?? undefined, q: undefined })} keepMounted={false}>
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
          deed="Review"
          onDiscard={() => setStaged(NO_EDITS)}
          onSave={() => setIsReviewing(true)}
        />
      )}
      {isReviewing && (
        <ReviewTeam
          loaded={loaded}
          staged={staged}
          onSaved={() => setStaged(NO_EDITS)}
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
    <nav className="team-path" aria-label="Where the team is">
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
