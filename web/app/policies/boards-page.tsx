import { Button } from '@mantine/core';
import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { ruleboards } from '#web/api/services.ts';
import { MODE_LABELS } from '#web/labels.ts';
import { useOrg } from '#web/org/org.ts';
import { Allowed } from '#web/parts/allowed.tsx';
import { Confirm } from '#web/parts/confirm.tsx';
import { CopyAs } from '#web/parts/copy-as.tsx';
import { numberText } from '#web/parts/number-text.ts';
import { Page } from '#web/parts/page.tsx';
import { Empty, LoadingRows, ProblemView } from '#web/parts/states.tsx';
import { say } from '#web/shell/say.ts';
import { MigratedBanner, useIsMigrated } from './migrated-banner.tsx';
import { NewBoard } from './new-board.tsx';
import './policies.css';
import { type Board, boardQuery, boardsQuery } from './queries.ts';
import { countsOf, MODES, type Row } from './staged.ts';

const PRODUCT_LABELS = { sast: 'Code', secrets: 'Secrets' } as const;

/** The boards that say which rules run on which projects, and what happens when they match. */
export function BoardsPage() {
  const org = useOrg();
  const isMigrated = useIsMigrated();
  const boards = useQuery(boardsQuery(org.id));
  const [isMaking, setIsMaking] = useState(false);
  return (
    <Page
      title="Policies"
      actions={
        <>
          <CopyAs operationId="RuleboardService_ListRuleboards" input={{ path: { deploymentId: org.id } }} />
          <Allowed permission="policy:manage">
            {(isDisabled) => (
              <Button
                leftSection={<Plus size={16} />}
                disabled={isDisabled || isMigrated}
                onClick={() => setIsMaking(true)}
              >
                New ruleboard
              </Button>
            )}
          </Allowed>
        </>
      }
    >
      <MigratedBanner />
      <p className="dimmed">
        A ruleboard says which rules run on its projects and what a match does. A project is on one board; the default
        boards have all that no other board has.
      </p>
      {boards.error ? (
        <ProblemView error={boards.error} onRetry={() => void boards.refetch()} />
      ) : boards.data ? (
        <Boards boards={boards.data} isMigrated={isMigrated} />
      ) : (
        <LoadingRows rows={4} height={48} />
      )}
      <NewBoard isOpen={isMaking} onClose={() => setIsMaking(false)} />
    </Page>
  );
}

function Boards({ boards, isMigrated }: { boards: readonly Board[]; isMigrated: boolean }) {
  const org = useOrg();
  const contents = useQueries({ queries: boards.map(({ slug }) => boardQuery(org.id, slug)) });
  const [doomed, setDoomed] = useState<Board>();
  if (boards.length === 0) return <Empty title="No ruleboards" why="Make the first one to choose which rules run." />;
  return (
    <section className="board-scroll" tabIndex={0} aria-label="Ruleboards">
      <table className="board-table">
        <thead>
          <tr>
            <th scope="col">Ruleboard</th>
            <th scope="col">For</th>
            <th scope="col">Projects</th>
            {MODES.map((mode) => (
              <th key={mode} scope="col" className="number">
                {MODE_LABELS[mode]}
              </th>
            ))}
            <th scope="col">
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {boards.map((board, index) => (
            <BoardRow
              key={board.slug}
              board={board}
              rows={contents[index]?.data?.rows}
              isUnknown={contents[index]?.isError === true}
              isMigrated={isMigrated}
              onDelete={() => setDoomed(board)}
            />
          ))}
        </tbody>
      </table>
      {doomed && <DeleteBoard board={doomed} onClose={() => setDoomed(undefined)} />}
    </section>
  );
}

interface BoardRowProps {
  board: Board;
  rows: readonly Row[] | undefined;
  /** Its rules could not be asked for. */
  isUnknown: boolean;
  isMigrated: boolean;
  onDelete: () => void;
}

function BoardRow({ board, rows, isUnknown, isMigrated, onDelete }: BoardRowProps) {
  const { slug } = useOrg();
  const counts = rows && countsOf(rows);
  const params = { slug, boardSlug: board.slug };
  return (
    <tr>
      <th scope="row">
        <Link to="/o/$slug/policies/ruleboards/$boardSlug" params={params}>
          {board.name}
        </Link>
      </th>
      <td>{PRODUCT_LABELS[board.product]}</td>
      <td>{board.isDefault ? 'all others' : numberText(board.projects.length)}</td>
      {MODES.map((mode) => (
        <td key={mode} className="number">
          {counts ? (
            <Link to="/o/$slug/policies/ruleboards/$boardSlug" params={params} search={{ q: `in:${mode}` }}>
              {numberText(counts[mode])}
            </Link>
          ) : isUnknown ? (
            '–'
          ) : (
            '…'
          )}
        </td>
      ))}
      <td>
        {!board.isDefault && (
          <Allowed permission="policy:manage">
            {(isDisabled) => (
              <Button
                size="compact-sm"
                variant="subtle"
                color="red"
                leftSection={<Trash2 size={14} />}
                aria-label={`Delete ${board.name}`}
                disabled={isDisabled || isMigrated}
                onClick={onDelete}
              >
                Delete
              </Button>
            )}
          </Allowed>
        )}
      </td>
    </tr>
  );
}

function DeleteBoard({ board, onClose }: { board: Board; onClose: () => void }) {
  const org = useOrg();
  const queryClient = useQueryClient();
  const remove = async () => {
    await ruleboards.deleteRuleboard({ path: { deploymentId: org.id, ruleboardSlug: board.slug } });
    await queryClient.invalidateQueries({ queryKey: [org.id, 'ruleboards'] });
    say(`Ruleboard ${board.name} deleted; its projects are on the default board.`);
  };
  const count = board.projects.length;
  const projects = count === 1 ? '1 project goes' : `${count} projects go`;
  return (
    <Confirm title={`Delete the ruleboard ${board.name}?`} deed="Delete" onConfirm={remove} onClose={onClose}>
      Its {projects} to the default board, whose rules then decide. This cannot be undone.
    </Confirm>
  );
}
