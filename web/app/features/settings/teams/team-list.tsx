import { Button } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CornerDownRight, Plus } from 'lucide-react';
import { teams as service } from '#web/foundation/api/services.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { CopyAsMenu } from '#web/ui/clipboard/copy-as-menu.tsx';
import { LoadMore } from '#web/ui/page/load-more.tsx';
import { Page } from '#web/ui/page/page.tsx';
import { PermissionGate } from '#web/ui/page/permission-gate.tsx';
import { EmptyState, LoadingRows, ProblemView } from '#web/ui/page/view-states.tsx';
import { DataTable, type TableColumn } from '#web/ui/table/data-table.tsx';
import { FilterBox } from '../parts/filter-box.tsx';
import { useSettingsSearch } from '../parts/use-settings-search.ts';
import { CreateTeam } from './create-team.tsx';
import { type Team, teamsQuery } from './model/queries.ts';
import { filterTeams, flattenTree, type TeamTreeRow } from './model/team-tree.ts';

const INDENT_REM = 1.25;

/** All teams as a tree with their counts. */
export function TeamList() {
  const org = useOrg();
  const deploymentId = org.id;
  const { search, update, open } = useSettingsSearch();
  return (
    <Page
      title="Teams"
      actions={
        <>
          <CopyAsMenu operationId="TeamsService_ListDeploymentTeams" input={{ path: { deploymentId }, body: {} }} />
          <PermissionGate permission="team:manage">
            {(isDisabled) => (
              <Button leftSection={<Plus size={16} />} disabled={isDisabled} onClick={() => update({ new: true })}>
                Create
              </Button>
            )}
          </PermissionGate>
        </>
      }
    >
      <AccessNote />
      <FilterBox label="Filter by name" />
      <TeamTree />
      {search.new && org.may('team:manage') && (
        <CreateTeam onCreated={open} onClose={() => update({ new: undefined }, true)} />
      )}
    </Page>
  );
}

function AccessNote() {
  const { id: deploymentId } = useOrg();
  const status = useQuery({
    queryKey: [deploymentId, 'settings', 'team-access'],
    queryFn: ({ signal }) => service.checkRbacStatus({ path: { deploymentId } }, { signal }),
  });
  if (status.data?.enabled !== false) return null;
  return <p className="settings-note">Team-based access control is not enabled for this organization.</p>;
}

function TeamTree() {
  const { id: deploymentId } = useOrg();
  const { search } = useSettingsSearch();
  const list = useInfiniteQuery(teamsQuery(deploymentId));
  const problem = list.error && <ProblemView error={list.error} onRetry={() => void list.refetch()} />;
  if (!list.data) return problem ?? <LoadingRows />;
  const teams = list.data.pages.flatMap((page) => page.teams);
  const shown = flattenTree(filterTeams(teams, search.q ?? ''));
  if (teams.length === 0)
    return <EmptyState title="You are not in a team" why="Ask an administrator to add you to one." />;
  return (
    <>
      {shown.length === 0 ? (
        <EmptyState
          title="No matching team"
          why={list.hasNextPage ? 'Only the loaded teams were searched.' : 'Clear the filter to see all teams.'}
        />
      ) : (
        <DataTable label="Teams" columns={COLUMNS} rows={shown} keyOf={({ team }) => team.id} />
      )}
      {problem}
      <LoadMore {...list} />
    </>
  );
}

const COLUMNS: readonly TableColumn<TeamTreeRow<Team>>[] = [
  { name: 'Name', cell: (row) => <TeamName row={row} /> },
  { name: 'Projects', cell: ({ team }) => <TeamTab team={team} tab="projects" count={team.repositoryCount} /> },
  { name: 'People', cell: ({ team }) => <TeamTab team={team} tab="people" count={team.userCount} /> },
  { name: 'Sub-teams', cell: ({ team }) => <TeamTab team={team} tab="teams" count={team.childTeamCount} /> },
];

function TeamName({ row: { team, level } }: { row: TeamTreeRow<Team> }) {
  const { slug } = useOrg();
  const defaults = [team.isUserDefault ? 'new people' : '', team.isProjectDefault ? 'new projects' : ''].filter(
    Boolean,
  );
  return (
    <span className="team-name" style={{ paddingInlineStart: `${(level - 1) * INDENT_REM}rem` }}>
      {level > 1 && <CornerDownRight size={14} role="img" aria-label={`level ${level}:`} />}
      <Link to="/o/$slug/settings/{-$section}/{-$item}" params={{ slug, section: 'teams', item: team.id }}>
        {team.name}
      </Link>
      {defaults.length > 0 && <span className="dimmed">default for {defaults.join(' and ')}</span>}
    </span>
  );
}

/** Links a count to the tab that lists it. */
function TeamTab({ team, tab, count }: { team: Team; tab: string; count: string }) {
  const { slug } = useOrg();
  return (
    <Link
      to="/o/$slug/settings/{-$section}/{-$item}"
      params={{ slug, section: 'teams', item: team.id }}
      search={{ tab }}
      aria-label={`${count} ${tab === 'teams' ? 'sub-teams' : tab} of ${team.name}`}
    >
      {count}
    </Link>
  );
}
