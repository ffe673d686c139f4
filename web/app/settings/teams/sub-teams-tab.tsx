import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useOrg } from '#web/org/org.ts';
import { Allowed } from '#web/parts/allowed.tsx';
import { Empty, LoadingRows, ProblemView } from '#web/parts/states.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { useSettingsSearch } from '../parts/use-settings-search.ts';
import { CreateTeam } from './create-team.tsx';
import { type Team, teamsQuery } from './team-data.ts';
import type { Editing } from './team-page.tsx';

/** The teams below; these are made and deleted at once, not staged. */
export function SubTeamsTab({ loaded: { team } }: Editing) {
  const { id: deploymentId } = useOrg();
  const { open } = useSettingsSearch();
  const [isMaking, setIsMaking] = useState(false);
  const list = useInfiniteQuery(teamsQuery(deploymentId));
  if (list.isPending) return <LoadingRows rows={3} />;
  if (list.isError) return <ProblemView error={list.error} onRetry={() => void list.refetch()} />;
  const children = list.data.pages.flatMap((page) => page.teams).filter(({ parentTeamId }) => parentTeamId === team.id);
  return (
    <>
      <div>
        <Allowed permission="team:manage">
          {(isDisabled) => (
            <Button
              variant="default"
              leftSection={<Plus size={16} />}
              disabled={isDisabled}
              onClick={() => setIsMaking(true)}
            >
              Create a sub-team
            </Button>
          )}
        </Allowed>
      </div>
      {children.length === 0 ? (
        <Empty title="No sub-teams" why="Who is in this team would also reach the projects of teams below it." />
      ) : (
        <DataTable label="Sub-teams" columns={COLUMNS} rows={children} keyOf={({ id }) => id} />
      )}
      {isMaking && <CreateTeam parentTeamId={team.id} onMade={open} onClose={() => setIsMaking(false)} />}
    </>
  );
}

const COLUMNS: readonly Column<Team>[] = [
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
