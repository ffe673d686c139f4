import { Button } from '@mantine/core';
import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { ruleboards } from '#web/foundation/api/services.ts';
import { formatNumber } from '#web/foundation/format/format-number.ts';
import { MODE_LABELS } from '#web/foundation/format/labels.ts';
import { notify } from '#web/foundation/notify/notify.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { CopyAsMenu } from '#web/ui/clipboard/copy-as-menu.tsx';
import { ConfirmDialog } from '#web/ui/dialog/confirm-dialog.tsx';
import { Page } from '#web/ui/page/page.tsx';
import { PermissionGate } from '#web/ui/page/permission-gate.tsx';
import { EmptyState, LoadingRows, ProblemView } from '#web/ui/page/view-states.tsx';
import { MigratedBanner, useIsMigrated } from './migrated-banner.tsx';
import { NewBoard } from './new-board.tsx';
import './policies.css';
import { type BoardRule, countByMode, RULE_MODES } from './board-changes.ts';
import { type Ruleboard, ruleboardQuery, ruleboardsQuery } from './queries.ts';
import { MigrationNote } from './unified/migration-note.tsx';

const PRODUCT_LABELS = { sast: 'Code', secrets: 'Secrets' } as const;

/** The list of ruleboards, which define the rules that run on projects and what a match does. */
export function BoardsPage({ tabs }: { tabs?: ReactNode }) {
  const org = useOrg();
  const isMigrated = useIsMigrated();
  const boards = useQuery(ruleboardsQuery(org.id));
  const [isCreating, setIsCreating] = useState(false);
  return (
    <Page
      title="Policies"
      actions={
        <>
          <CopyAsMenu operationId="RuleboardService_ListRuleboards" input={{ path: { deploymentId: org.id } }} />
          <PermissionGate permission="policy:manage">
            {(isDisabled) => (
              <Button
                leftSection={<Plus size={16} />}
                disabled={isDisabled || isMigrated}
                onClick={() => setIsCreating(true)}
              >
                New ruleboard
              </Button>
            )}
          </PermissionGate>
        </>
      }
    >
      {tabs}
      <MigratedBanner />
      {!isMigrated && <MigrationNote />}
      <p className="dimmed">
        A ruleboard defines which rules run on its projects and what happens on a match. The default ruleboards apply to
        all projects; another ruleboard adds to them, and for a rule on both the stricter mode applies.
      </p>
      {boards.error ? (
        <ProblemView error={boards.error} onRetry={() => void boards.refetch()} />
      ) : boards.data ? (
        <Boards boards={boards.data} isMigrated={isMigrated} />
      ) : (
        <LoadingRows rows={4} height={48} />
      )}
      <NewBoard isOpen={isCreating} onClose={() => setIsCreating(false)} />
    </Page>
  );
}

function Boards({ boards, isMigrated }: { boards: readonly Ruleboard[]; isMigrated: boolean }) {
  const org = useOrg();
  const contents = useQueries({ queries: boards.map(({ slug }) => ruleboardQuery(org.id, slug)) });
  const [deleting, setDeleting] = useState<Ruleboard>();
  if (boards.length === 0) return <EmptyState title="No ruleboards" why="Create one to choose which rules run." />;
  return (
    <section className="board-scroll" tabIndex={0} aria-label="Ruleboards">
      <table className="board-table">
        <thead>
          <tr>
            <th scope="col">Ruleboard</th>
            <th scope="col">For</th>
            <th scope="col">Projects</th>
            {RULE_MODES.map((mode) => (
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
              onDelete={() => setDeleting(board)}
            />
          ))}
        </tbody>
      </table>
      {deleting && <DeleteBoard board={deleting} onClose={() => setDeleting(undefined)} />}
    </section>
  );
}

interface BoardRowProps {
  board: Ruleboard;
  rows: readonly BoardRule[] | undefined;
  /** Its rules could not be loaded. */
  isUnknown: boolean;
  isMigrated: boolean;
  onDelete: () => void;
}

function BoardRow({ board, rows, isUnknown, isMigrated, onDelete }: BoardRowProps) {
  const { slug } = useOrg();
  const counts = rows && countByMode(rows);
  const params = { slug, boardSlug: board.slug };
  return (
    <tr>
      <th scope="row">
        <Link to="/o/$slug/policies/ruleboards/$boardSlug" params={params}>
          {board.name}
        </Link>
      </th>
      <td>{PRODUCT_LABELS[board.product]}</td>
      <td>{board.isDefault ? 'all' : formatNumber(board.projects.length)}</td>
      {RULE_MODES.map((mode) => (
        <td key={mode} className="number">
          {counts ? (
            <Link to="/o/$slug/policies/ruleboards/$boardSlug" params={params} search={{ q: `in:${mode}` }}>
              {formatNumber(counts[mode])}
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
          <PermissionGate permission="policy:manage">
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
          </PermissionGate>
        )}
      </td>
    </tr>
  );
}

function DeleteBoard({ board, onClose }: { board: Ruleboard; onClose: () => void }) {
  const org = useOrg();
  const queryClient = useQueryClient();
  const remove = async () => {
    await ruleboards.deleteRuleboard({ path: { deploymentId: org.id, ruleboardSlug: board.slug } });
    await queryClient.invalidateQueries({ queryKey: [org.id, 'ruleboards'] });
    notify(`Ruleboard ${board.name} deleted; the default one still applies to its projects.`);
  };
  const count = board.projects.length;
  const projects = count === 1 ? '1 project' : `${count} projects`;
  return (
    <ConfirmDialog
      title={`Delete the ruleboard ${board.name}?`}
      actionLabel="Delete"
      onConfirm={remove}
      onClose={onClose}
    >
      Its rules no longer run on its {projects}, unless the default ruleboard has them. This cannot be undone.
    </ConfirmDialog>
  );
}
