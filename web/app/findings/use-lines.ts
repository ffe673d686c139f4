import { useQueryClient } from '@tanstack/react-query';
import { type RefObject, useCallback, useEffect, useMemo } from 'react';
import { useOrg } from '#web/org/org.ts';
import { stateOf, type View } from '#web/query/view.ts';
import type { GridHandle } from './grid.tsx';
import { groupItems, type Item, rowItems } from './items.ts';
import type { ListState } from './list-state.ts';
import { useNews } from './new-pill.tsx';
import type { Place } from './place.ts';
import { useFacets, useFindings, useGroups, useStateCounts } from './queries.ts';
import type { Row } from './row.ts';

/** How many findings the filter has; beyond what facets count exactly, the numbers of states know. */
export function useTotal(view: View): number | undefined {
  const facets = useFacets(view.q);
  const counts = useStateCounts(view);
  const state = stateOf(view.query);
  if (facets.data?.totalIsExact) return Number(facets.data.total);
  if (!counts.data || state === undefined) return undefined;
  return state === 'any' ? Object.values(counts.data).reduce((sum, count) => sum + count, 0) : counts.data[state];
}

interface Lines {
  items: readonly Item[];
  rows: readonly Row[];
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
export function useLines({ view, search, sort }: Place, list: ListState, grid: RefObject<GridHandle | null>): Lines {
  const { id: deploymentId } = useOrg();
  const queryClient = useQueryClient();
  const { group, in: open } = search;
  const groups = useGroups(view.q, group);
  const openGroup = group === undefined ? undefined : groups.lines.find(({ key }) => key === open);
  const found = useFindings(group === undefined ? view.q : openGroup?.q, sort);
  const total = useTotal(view);
  const { count: news, clear } = useNews();
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
