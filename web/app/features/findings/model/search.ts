import { enumParam, searchParser, textParam } from '#web/foundation/url/search-params.ts';
import { findingId } from './finding-id.ts';

export const GROUPINGS = ['rule', 'project', 'path', 'cwe', 'dependency'] as const;
export type Grouping = (typeof GROUPINGS)[number];

export const SORTS = ['newest', 'oldest', 'severity', 'mildest'] as const;
export type FindingSort = (typeof SORTS)[number];

/** The filter, the open finding (`at`), the grouping, the open group (`in`), the order and the columns. */
export const findingsSearch = searchParser({
  q: textParam,
  at: findingId,
  group: enumParam(GROUPINGS),
  in: textParam,
  sort: enumParam(SORTS),
  cols: textParam,
});

export type FindingsSearch = ReturnType<typeof findingsSearch>;

/** The parameters that identify a list; the default order is left out. */
export type ListSearch = Pick<FindingsSearch, 'q' | 'sort'>;
export const listSearch = (q: string, sort: FindingSort | undefined): ListSearch =>
  sort === undefined || sort === 'newest' ? { q } : { q, sort };

type Change = { [Name in keyof FindingsSearch]?: FindingsSearch[Name] | undefined };

/** Changes some parameters; undefined removes one. */
export function updateSearch(before: FindingsSearch, change: Change): FindingsSearch {
  const next = Object.entries({ ...before, ...change }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(next) as FindingsSearch;
}
