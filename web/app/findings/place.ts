import { getRouteApi } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import type { Query } from '#domain/query/structure.ts';
import { addressOf, type View, viewOf } from '#web/query/view.ts';
import { type Column, columnsOf } from './columns.ts';
import { changedSearch, type FindingsSearch, type Sort } from './search.ts';

const route = getRouteApi('/o/$slug/findings');

export interface Place {
  search: FindingsSearch;
  view: View;
  sort: Sort;
  columns: readonly Column[];
  /** Goes on to another view of the list; `isStep` keeps "back" from stopping at each. */
  change: (change: Parameters<typeof changedSearch>[1], isStep?: boolean) => void;
  /** Shows another filter, from its top. */
  filter: (query: Query) => void;
}

/** The view that the address names, and how to go to another one. */
export function usePlace(): Place {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const view = useMemo(() => viewOf(search.q), [search.q]);
  const columns = useMemo(() => columnsOf(search.cols), [search.cols]);
  const change = useCallback<Place['change']>(
    (next, isStep = false) =>
      void navigate({ search: (before) => changedSearch(before, next), replace: isStep, resetScroll: false }),
    [navigate],
  );
  const filter = useCallback((query: Query) => change({ q: addressOf(query), in: undefined, at: undefined }), [change]);
  return { search, view, sort: search.sort ?? 'newest', columns, change, filter };
}
