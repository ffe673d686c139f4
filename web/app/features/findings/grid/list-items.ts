import type { FindingRow } from '../model/finding-row.ts';
import type { FindingGroup, PagedSource } from '../model/list-queries.ts';

/** One line of the list. */
export type ListItem =
  | { kind: 'row'; id: string; row: FindingRow; level: 1 | 2 }
  | { kind: 'group'; id: string; group: FindingGroup; isOpen: boolean }
  | { kind: 'wait'; id: string }
  | { kind: 'failed'; id: string; error: unknown; retry: () => void };

/** What stands at the end of pages that have more to come, or that could not be got. */
function tailOf(id: string, { isLoading, hasMore, error, retry }: PagedSource<unknown>): ListItem[] {
  if (error !== undefined) return [{ kind: 'failed', id: `failed ${id}`, error, retry }];
  return isLoading || hasMore ? [{ kind: 'wait', id: `wait ${id}` }] : [];
}

export const rowItems = (source: PagedSource<FindingRow>, level: 1 | 2 = 1): ListItem[] => [
  ...source.lines.map((row): ListItem => ({ kind: 'row', id: row.id, row, level })),
  ...tailOf(`rows ${level}`, source),
];

/** The groups, with the findings of the one that is open below it. */
export const groupItems = (
  groups: PagedSource<FindingGroup>,
  open: string | undefined,
  rows: PagedSource<FindingRow>,
): ListItem[] => [
  ...groups.lines.flatMap((group): ListItem[] => {
    const isOpen = group.key === open;
    return [{ kind: 'group', id: `group ${group.key}`, group, isOpen }, ...(isOpen ? rowItems(rows, 2) : [])];
  }),
  ...tailOf('groups', groups),
];
