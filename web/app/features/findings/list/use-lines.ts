import { useQueryClient } from '@tanstack/react-query';
import { type RefObject, useCallback, useEffect, useMemo } from 'react';
import { useOrg } from '#web/foundation/session/org.ts';
import { type FilterView, filterStateOf } from '#web/ui/filter/filter-view.ts';
import type { GridHandle } from '../grid/grid.tsx';
import { groupItems, type ListItem, rowItems } from '../grid/list-items.ts';
import type { SelectionModel } from '../grid/selection-model.ts';
import type { FindingRow } from '../model/finding-row.ts';
import { useFacets, useFindings, useGroups, useStateCounts } from '../model/list-queries.ts';
import { useNewFindingCount } from './new-findings-button.tsx';
import type { FindingsListView } from './use-list-view.ts';

/** How many findings the filter has; beyond what facets count exactly, the numbers of states know. */
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
  isOld: boolean;
  error: unknown;
  retry: () => void;
  more: () => void;
  news: number;
  showNews: () => void;
}

/** The lines of the view: findings, or groups with the findings of the open one. */
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
  const found = useFindings(group === undefined ? view.q : openGroup?.q, sort);
  const total = useFindingTotal(view);
  const { count: news, clear } = useNewFindingCount();
  const isGrouped = group !== undefined;
  // Findings of the group that was open before must not stand below another one.
  const rows = isGrouped && found.isOld ? { ...found, lines: [], isLoading: true } : found;
  const outer = isGrouped ? groups : found;
  // biome-ignore lint/correctness/useExhaustiveDependencies: these are what the lines are made of.
  const items = useMemo(
    () => (isGrouped ? groupItems(groups, open, rows) : rowItems(found)),
    [isGrouped, open, groups.lines, groups.hasMore, groups.error, rows.lines, rows.hasMore, rows.error, rows.isLoading],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: another view begins at its top, with nothing selected.
  useEffect(() => {
    list.clear();
    grid.current?.toTop();
    clear();
  }, [view.q, sort, group]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: findings of another group are out of sight.
  useEffect(() => list.clear(), [open]);
  const showNews = useCallback(() => {
    clear();
    grid.current?.toTop();
    void queryClient.invalidateQueries({ queryKey: [deploymentId, 'issues'] });
  }, [clear, grid, queryClient, deploymentId]);
  const more = () => {
    if (isGrouped && openGroup && rows.hasMore) rows.more();
    outer.more();
  };
  return {
    items,
    rows: rows.lines,
    total,
    snapshot: found.snapshot ?? '0',
    isLoading: outer.isLoading,
    isOld: outer.isOld,
    error: outer.error,
    retry: outer.retry,
    more,
    news,
    showNews,
  };
}
