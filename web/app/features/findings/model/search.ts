import { enumParam, searchParser, textParam } from '#web/foundation/url/search-params.ts';
import { findingId } from './finding-id.ts';

export const GROUPINGS = ['rule', 'project', 'path', 'cwe', 'dependency'] as const;
export type Grouping = (typeof GROUPINGS)[number];

export const SORTS = ['newest', 'oldest', 'severity', 'mildest'] as const;
export type FindingSort = (typeof SORTS)[number];

/** The filter, the grouping with the group that is open, the order, the columns, and the finding beside the list. */
export const findingsSearch = searchParser({
  q: textParam,
  at: findingId,
  group: enumParam(GROUPINGS),
  in: textParam,
  sort: enumParam(SORTS),
  cols: textParam,
});

export type FindingsSearch = ReturnType<typeof findingsSearch>;

/** The members of an address that name a list: the usual order is left out. */
export type ListSearch = Pick<FindingsSearch, 'q' | 'sort'>;
export const listSearch = (q: string, sort: FindingSort | undefined): ListSearch =>
  sort === undefined || sort === 'newest' ? { q } : { q, sort };

type Change = { [Name in keyof FindingsSearch]?: FindingsSearch[Name] | undefined };

/** The search with some members changed; one that is undefined is no longer there. */
export function updateSearch(before: FindingsSearch, change: Change): FindingsSearch {
  const next = Object.entries({ ...before, ...change }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(next) as FindingsSearch;
}
