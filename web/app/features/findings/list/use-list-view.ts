import { getRouteApi } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import type { Query } from '#domain/query/ast.ts';
import { type FilterView, filterParam, parseFilterView } from '#web/ui/filter/filter-view.ts';
import { type FindingColumn, parseColumns } from '../grid/columns.ts';
import { type FindingSort, type FindingsSearch, updateSearch } from '../model/search.ts';

const route = getRouteApi('/o/$slug/findings');

export interface FindingsListView {
  search: FindingsSearch;
  view: FilterView;
  sort: FindingSort;
  columns: readonly FindingColumn[];
  /** Navigates to another view of the list; `isStep` replaces the history entry. */
  change: (change: Parameters<typeof updateSearch>[1], isStep?: boolean) => void;
  /** Applies another filter and scrolls to the top. */
  filter: (query: Query) => void;
}

/** The view of the list that the URL names, and navigation to others. */
export function useFindingsListView(): FindingsListView {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const view = useMemo(() => parseFilterView(search.q), [search.q]);
  const columns = useMemo(() => parseColumns(search.cols), [search.cols]);
  const change = useCallback<FindingsListView['change']>(
    (next, isStep = false) =>
      void navigate({ search: (before) => updateSearch(before, next), replace: isStep, resetScroll: false }),
    [navigate],
  );
  const filter = useCallback(
    (query: Query) => change({ q: filterParam(query), in: undefined, at: undefined }),
    [change],
  );
  return { search, view, sort: search.sort ?? 'newest', columns, change, filter };
}
