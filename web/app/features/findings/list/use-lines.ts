import { useQueryClient } from '@tanstack/react-query';
import { type RefObject, useCallback, useEffect, useMemo } from 'react';
import { useOrg } from '#web/foundation/session/org.ts';
import { type FilterView, filterStateOf } from '#web/ui/filter/filter-view.ts';
import type { GridHandle } from '../grid/grid.tsx';
import { groupItems, type ListItem, rowItems } from '../grid/list-items.ts';
import type { SelectionModel } from '../grid/selection-model.ts';
import type { FindingRow } from '../model/finding-row.ts';
import { useFacets, useFindings, useGroups, useStateCounts } from '../model/list-queries.ts';
import { useNewFindingCount } from '../model/use-new-finding-count.ts';
import type { FindingsListView } from './use-list-view.ts';

/** How many findings match the filter. Facets count exactly only up to a limit; above it the state counts are used. */
export function useFindingTotal(view: FilterView): number | undefined {
  const facets = useFacets(view.q);
  const counts = useStateCounts(view);
  const state = filterStateOf(view.query);
  if (facets.data?.totalIsExact) return Number(facets.data.total);
  if (!counts.data || state === undefined) return undefined;
  return state === 'any' ? Object.values(counts.data).reduce((sum, count) => sum + count, 0) : counts.data[state];
}

interface Lines {
  items: readonly ListItem[];
  rows: readonly FindingRow[];
  total: number | undefined;
  snapshot: string;
  isLoading: boolean;
  isStale: boolean;
  error: unknown;
  retry: () => void;
  more: () => void;
  newCount: number;
  showNew: () => void;
}

/** The rows of the view: findings, or groups with the findings of the open group. */
export function useLines(
  { view, search, sort }: FindingsListView,
  list: SelectionModel,
  grid: RefObject<GridHandle | null>,
): Lines {
  const { id: deploymentId } = useOrg();
  const queryClient = useQueryClient();
  const { group, in: open } = search;
  const groups = useGroups(view.q, group);
  const openGroup = group === undefined ? undefined : groups.lines.find(({ key }) => key === open);
  const findings = useFindings(group === undefined ? view.q : openGroup?.q, sort);
  const total = useFindingTotal(view);
  const { count: newCount, clear } = useNewFindingCount();
  const isGrouped = group !== undefined;
  // Findings of the previously open group must not appear below another one.
  const rows = isGrouped && findings.isStale ? { ...findings, lines: [], isLoading: true } : findings;
  const pages = isGrouped ? groups : findings;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the items depend on these parts only.
  const items = useMemo(
    () => (isGrouped ? groupItems(groups, open, rows) : rowItems(findings)),
    [isGrouped, open, groups.lines, groups.hasMore, groups.error, rows.lines, rows.hasMore, rows.error, rows.isLoading],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: another view starts at the top, with nothing selected.
  useEffect(() => {
    list.clear();
    grid.current?.toTop();
    clear();
  }, [view.q, sort, group]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the findings of another group are no longer shown.
  useEffect(() => list.clear(), [open]);
  const showNew = useCallback(() => {
    clear();
    grid.current?.toTop();
    void queryClient.invalidateQueries({ queryKey: [deploymentId, 'issues'] });
  }, [clear, grid, queryClient, deploymentId]);
  const more = () => {
    if (isGrouped && openGroup && rows.hasMore) rows.more();
    pages.more();
  };
  return {
    items,
    rows: rows.lines,
    total,
    snapshot: findings.snapshot ?? '0',
    isLoading: pages.isLoading,
    isStale: pages.isStale,
    error: pages.error,
    retry: pages.retry,
    more,
    newCount,
    showNew,
  };
}
