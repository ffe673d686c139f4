import { oneOf, searchOf, text } from '#web/url/search.ts';
import { lineId } from './kinds.ts';

export const GROUPS = ['rule', 'project', 'path', 'cwe', 'dependency'] as const;
export type Group = (typeof GROUPS)[number];

export const SORTS = ['newest', 'oldest', 'severity', 'mildest'] as const;
export type Sort = (typeof SORTS)[number];

/** The filter, the grouping with the group that is open, the order, the columns, and the finding beside the list. */
export const findingsSearch = searchOf({
  q: text,
  at: lineId,
  group: oneOf(GROUPS),
  in: text,
  sort: oneOf(SORTS),
  cols: text,
});

export type FindingsSearch = ReturnType<typeof findingsSearch>;

/** The members of an address that name a list: the usual order is left out. */
export type ListSearch = Pick<FindingsSearch, 'q' | 'sort'>;
export const listSearch = (q: string, sort: Sort | undefined): ListSearch =>
  sort === undefined || sort === 'newest' ? { q } : { q, sort };

type Change = { [Name in keyof FindingsSearch]?: FindingsSearch[Name] | undefined };

/** The search with some members changed; one that is undefined is no longer there. */
export function changedSearch(before: FindingsSearch, change: Change): FindingsSearch {
  const next = Object.entries({ ...before, ...change }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(next) as FindingsSearch;
}
