import { Modal } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useCallback, useRef, useState } from 'react';
import { useOrg } from '#web/foundation/session/org.ts';
import { stringifySearch } from '#web/foundation/url/search-params.ts';
import { LoadingRows, ProblemView } from '#web/ui/page/view-states.tsx';
import { BulkDialog } from '../bulk/bulk-dialog.tsx';
import { Grid, type GridHandle } from '../grid/grid.tsx';
import type { ListItem } from '../grid/list-items.ts';
import { printCaption } from '../grid/print-view.ts';
import { SelectionModel } from '../grid/selection-model.ts';
import { isWorkflowFindingId, workflowIssueIdOf } from '../model/finding-id.ts';
import { issueQuery } from '../model/queries.ts';
import { type FindingSort, listSearch } from '../model/search.ts';
import { workflowIssueQuery } from '../model/workflow-issue-query.ts';
import { AssignDialog } from '../triage/assign-dialog.tsx';
import { IgnoreForm } from '../triage/ignore-form.tsx';
import { closeIgnoreForm, openIgnoreForm, useIsIgnoreFormOpen } from '../triage/ignore-form-store.ts';
import { useTriage } from '../triage/use-triage.ts';
import { EmptyList } from './empty-list.tsx';
import { NewFindingsButton } from './new-findings-button.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { useLines } from './use-lines.ts';
import { type ListDecisions, useListDecisions } from './use-list-decisions.ts';
import { useListKeys } from './use-list-keys.ts';
import type { FindingsListView } from './use-list-view.ts';
import { usePanel } from './use-panel.ts';

const SELECTION = 'selection';

/** The rows of the list with selection, keyboard shortcuts and triage. */
export function ListPane({ listView }: { listView: FindingsListView }) {
  const { view, search } = listView;
  const { slug } = useOrg();
  const searchHere = listSearch(view.q, search.sort);
  const navigate = useNavigate();
  const [list] = useState(() => new SelectionModel());
  const grid = useRef<GridHandle>(null);
  const { triage } = useTriage();
  const lines = useLines(listView, list, grid);
  const decisions = useListDecisions({ list, rows: lines.rows, at: search.at, triage });
  const panel = usePanel(listView, list);
  const canSelectAll = view.problems.length === 0 && search.group === undefined;
  const { toggleGroup, follow } = useGroupNavigation(listView);
  useListKeys({
    ...{ list, grid, canSelectAll, items: lines.items },
    onOpen: panel.open,
    onOpenPage: (issueId) =>
      void navigate({ to: '/o/$slug/findings/$issueId', params: { slug, issueId }, search: searchHere }),
    onToggleGroup: toggleGroup,
    onBack: () => (panel.isOpen ? panel.close() : list.clear()),
    onDecide: decisions.decide,
    onIgnore: () => {
      const [only, ...others] = decisions.targets();
      if (only === undefined) return;
      if (others.length === 0) panel.open(only);
      openIgnoreForm(others.length === 0 ? only : SELECTION);
    },
    isProvisional: decisions.isProvisional,
  });
  const prefetch = usePrefetchFinding();
  const hrefOf = (item: ListItem) =>
    item.kind === 'group'
      ? `/o/${slug}/findings?${new URLSearchParams({ q: item.group.q })}`
      : `/o/${slug}/findings/${item.id}${stringifySearch(searchHere)}`;
  if (lines.isLoading) return <LoadingRows rows={14} />;
  if (lines.error !== undefined && lines.items.length <= 1)
    return <ProblemView error={lines.error} onRetry={lines.retry} />;
  return (
    <div className="findings-pane">
      <NewFindingsButton count={lines.newCount} onShow={lines.showNew} />
      {lines.items.length === 0 ? (
        <EmptyList view={view} filter={listView.filter} />
      ) : (
        <>
          <p className="findings-paper">
            {printCaption(lines.items, { total: lines.total, q: view.q, isTree: search.group !== undefined })}
          </p>
          <Grid
            {...{ list, hrefOf, handle: grid, items: lines.items, total: lines.total, isStale: lines.isStale }}
            {...{
              columns: listView.columns,
              sort: listView.sort,
              label: 'Findings',
              isTree: search.group !== undefined,
            }}
            onOpen={panel.open}
            onToggleGroup={toggleGroup}
            onFollow={follow}
            onSort={(sort: FindingSort) => listView.change({ sort: sort === 'newest' ? undefined : sort })}
            onMore={lines.more}
            onPointAt={prefetch}
            {...(panel.isOpen ? { onMove: panel.follow } : {})}
          />
        </>
      )}
      <SelectionBar
        {...{ list, canSelectAll, total: lines.total, onDecide: decisions.decide }}
        onIgnore={() => openIgnoreForm(SELECTION)}
        onAll={() => list.selectAll(list.selection.ids, true)}
      />
      <BulkDialog
        {...{ triage, bulk: decisions.bulk, rows: lines.rows, q: view.q, snapshot: lines.snapshot }}
        onClose={decisions.cancel}
        onDone={decisions.done}
      />
      <IgnoreDialog decide={decisions.decide} />
      <AssignDialog />
    </div>
  );
}

/** Prefetches a finding when somebody points at it. */
function usePrefetchFinding() {
  const { id: deploymentId } = useOrg();
  const queryClient = useQueryClient();
  return useCallback(
    (id: string) =>
      void (isWorkflowFindingId(id)
        ? queryClient.prefetchQuery({ ...workflowIssueQuery(deploymentId, workflowIssueIdOf(id)), staleTime: 60_000 })
        : queryClient.prefetchQuery({ ...issueQuery(deploymentId, id), staleTime: 60_000 })),
    [queryClient, deploymentId],
  );
}

function useGroupNavigation({ search, change }: FindingsListView) {
  const toggleGroup = useCallback(
    (key: string) => change({ in: search.in === key ? undefined : key }, true),
    [change, search.in],
  );
  const follow = useCallback((q: string) => change({ q, group: undefined, in: undefined }), [change]);
  return { toggleGroup, follow };
}

function IgnoreDialog({ decide }: Pick<ListDecisions, 'decide'>) {
  const isOpen = useIsIgnoreFormOpen(SELECTION);
  return (
    <Modal opened={isOpen} onClose={closeIgnoreForm} title="Ignore the selected findings">
      <IgnoreForm
        subject={SELECTION}
        needsApproval={false}
        onDecide={(decision) => {
          closeIgnoreForm();
          decide(decision);
        }}
      />
    </Modal>
  );
}
