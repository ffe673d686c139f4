import { Modal } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useCallback, useRef, useState } from 'react';
import { IgnoreForm } from '#web/finding/ignore-form.tsx';
import { closeIgnoreForm, openIgnoreForm, useIsIgnoreFormOpen } from '#web/finding/ignore-form-store.ts';
import { issueQuery } from '#web/finding/queries.ts';
import { useOrg } from '#web/org/org.ts';
import { LoadingRows, ProblemView } from '#web/parts/states.tsx';
import { stringifySearch } from '#web/url/search.ts';
import { BulkDialog } from './bulk-dialog.tsx';
import { EmptyList } from './empties.tsx';
import { Grid, type GridHandle } from './grid.tsx';
import type { Item } from './items.ts';
import { isWorkflowLine, workflowIdOf } from './kinds.ts';
import { ListState } from './list-state.ts';
import { NewPill } from './new-pill.tsx';
import { paperText } from './on-paper.ts';
import type { Place } from './place.ts';
import { listSearch, type Sort } from './search.ts';
import { SelectionBar } from './selection-bar.tsx';
import { useTriage } from './triage.ts';
import { type Decisions, useDecisions } from './use-decisions.ts';
import { useLines } from './use-lines.ts';
import { useListKeys } from './use-list-keys.ts';
import { usePanel } from './use-panel.ts';
import { workflowIssueQuery } from './workflows/queries.ts';

const SELECTION = 'selection';

/** The lines of the list with everything that is done to them. */
export function ListPane({ place }: { place: Place }) {
  const { view, search } = place;
  const { slug } = useOrg();
  const here = listSearch(view.q, search.sort);
  const navigate = useNavigate();
  const [list] = useState(() => new ListState());
  const grid = useRef<GridHandle>(null);
  const { triage } = useTriage();
  const lines = useLines(place, list, grid);
  const decisions = useDecisions({ list, rows: lines.rows, at: search.at, triage });
  const panel = usePanel(place, list);
  const canBeAll = view.problems.length === 0 && search.group === undefined;
  const { toggleGroup, follow } = useGroupMoves(place);
  useListKeys({
    ...{ list, grid, canBeAll, items: lines.items },
    onOpen: panel.open,
    onOpenPage: (issueId) =>
      void navigate({ to: '/o/$slug/findings/$issueId', params: { slug, issueId }, search: here }),
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
  const peek = usePeek();
  const hrefOf = (item: Item) =>
    item.kind === 'group'
      ? `/o/${slug}/findings?${new URLSearchParams({ q: item.group.q })}`
      : `/o/${slug}/findings/${item.id}${stringifySearch(here)}`;
  if (lines.isLoading) return <LoadingRows rows={14} />;
  if (lines.error !== undefined && lines.items.length <= 1)
    return <ProblemView error={lines.error} onRetry={lines.retry} />;
  return (
    <div className="findings-pane">
      <NewPill count={lines.news} onShow={lines.showNews} />
      {lines.items.length === 0 ? (
        <EmptyList view={view} filter={place.filter} />
      ) : (
        <>
          <p className="findings-paper">
            {paperText(lines.items, { total: lines.total, q: view.q, isTree: search.group !== undefined })}
          </p>
          <Grid
            {...{ list, hrefOf, handle: grid, items: lines.items, total: lines.total, isOld: lines.isOld }}
            {...{ columns: place.columns, sort: place.sort, label: 'Findings', isTree: search.group !== undefined }}
            onOpen={panel.open}
            onToggleGroup={toggleGroup}
            onFollow={follow}
            onSort={(sort: Sort) => place.change({ sort: sort === 'newest' ? undefined : sort })}
            onMore={lines.more}
            onPeek={peek}
            {...(panel.isOpen ? { onMove: panel.follow } : {})}
          />
        </>
      )}
      <SelectionBar
        {...{ list, canBeAll, total: lines.total, onDecide: decisions.decide }}
        onIgnore={() => openIgnoreForm(SELECTION)}
        onAll={() => list.selectAll(list.selection.ids, true)}
      />
      <BulkDialog
        {...{ triage, bulk: decisions.bulk, rows: lines.rows, q: view.q, snapshot: lines.snapshot }}
        onClose={decisions.cancel}
        onDone={decisions.done}
      />
      <IgnoreDialog decide={decisions.decide} />
    </div>
  );
}

/** Asks for a finding before it is opened. */
function usePeek() {
  const { id: deploymentId } = useOrg();
  const queryClient = useQueryClient();
  return useCallback(
    (id: string) =>
      void (isWorkflowLine(id)
        ? queryClient.prefetchQuery({ ...workflowIssueQuery(deploymentId, workflowIdOf(id)), staleTime: 60_000 })
        : queryClient.prefetchQuery({ ...issueQuery(deploymentId, id), staleTime: 60_000 })),
    [queryClient, deploymentId],
  );
}

function useGroupMoves({ search, change }: Place) {
  const toggleGroup = useCallback(
    (key: string) => change({ in: search.in === key ? undefined : key }, true),
    [change, search.in],
  );
  const follow = useCallback((q: string) => change({ q, group: undefined, in: undefined }), [change]);
  return { toggleGroup, follow };
}

function IgnoreDialog({ decide }: Pick<Decisions, 'decide'>) {
  const isOpen = useIsIgnoreFormOpen(SELECTION);
  return (
    <Modal opened={isOpen} onClose={closeIgnoreForm} title="Ignore what is selected">
      <IgnoreForm
        subject={SELECTION}
        isAsked={false}
        onDecide={(decision) => {
          closeIgnoreForm();
          decide(decision);
        }}
      />
    </Modal>
  );
}
