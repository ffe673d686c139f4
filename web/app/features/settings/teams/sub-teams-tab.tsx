import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useOrg } from '#web/foundation/session/org.ts';
import { PermissionGate } from '#web/ui/page/permission-gate.tsx';
import { EmptyState, LoadingRows, ProblemView } from '#web/ui/page/view-states.tsx';
import { DataTable, type TableColumn } from '#web/ui/table/data-table.tsx';
import { useSettingsSearch } from '../parts/use-settings-search.ts';
import { CreateTeam } from './create-team.tsx';
import { type Team, teamsQuery } from './model/queries.ts';
import type { TeamTabProps } from './model/team-tab-props.ts';

/** The sub-teams; creating and deleting them takes effect immediately. */
export function SubTeamsTab({ loaded: { team } }: TeamTabProps) {
  const { id: deploymentId } = useOrg();
  const { open } = useSettingsSearch();
  const [isCreating, setIsCreating] = useState(false);
  const list = useInfiniteQuery(teamsQuery(deploymentId));
  if (list.isPending) return <LoadingRows rows={3} />;
  if (list.isError) return <ProblemView error={list.error} onRetry={() => void list.refetch()} />;
  const children = list.data.pages.flatMap((page) => page.teams).filter(({ parentTeamId }) => parentTeamId === team.id);
  return (
    <>
      <div>
        <PermissionGate permission="team:manage">
          {(isDisabled) => (
            <Button
              variant="default"
              leftSection={<Plus size={16} />}
              disabled={isDisabled}
              onClick={() => setIsCreating(true)}
            >
              Create a sub-team
            </Button>
          )}
        </PermissionGate>
      </div>
      {children.length === 0 ? (
        <EmptyState title="No sub-teams" why="Members of this team can also see the projects of its sub-teams." />
      ) : (
        <DataTable label="Sub-teams" columns={COLUMNS} rows={children} keyOf={({ id }) => id} />
      )}
      {isCreating && <CreateTeam parentTeamId={team.id} onCreated={open} onClose={() => setIsCreating(false)} />}
    </>
  );
}

const COLUMNS: readonly TableColumn<Team>[] = [
  { name: 'Name', cell: (team) => <TeamLink team={team} /> },
  { name: 'Projects', cell: ({ repositoryCount }) => repositoryCount },
  { name: 'People', cell: ({ userCount }) => userCount },
  { name: 'Sub-teams', cell: ({ childTeamCount }) => childTeamCount },
];

function TeamLink({ team }: { team: Team }) {
  const { slug } = useOrg();
  return (
    <Link to="/o/$slug/settings/{-$section}/{-$item}" params={{ slug, section: 'teams', item: team.id }}>
      {team.name}
    </Link>
  );
}
