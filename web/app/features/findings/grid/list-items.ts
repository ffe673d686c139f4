import type { FindingRow } from '../model/finding-row.ts';
import type { FindingGroup, PagedSource } from '../model/list-queries.ts';

/** A row of the list. */
export type ListItem =
  | { kind: 'row'; id: string; row: FindingRow; level: 1 | 2 }
  | { kind: 'group'; id: string; group: FindingGroup; isOpen: boolean }
  | { kind: 'loading'; id: string }
  | { kind: 'failed'; id: string; error: unknown; retry: () => void };

/** The row after the loaded pages: a placeholder while there is more, or the error of the last page. */
function tailOf(id: string, { isLoading, hasMore, error, retry }: PagedSource<unknown>): ListItem[] {
  if (error !== undefined) return [{ kind: 'failed', id: `failed ${id}`, error, retry }];
  return isLoading || hasMore ? [{ kind: 'loading', id: `loading ${id}` }] : [];
}

export const rowItems = (source: PagedSource<FindingRow>, level: 1 | 2 = 1): ListItem[] => [
  ...source.lines.map((row): ListItem => ({ kind: 'row', id: row.id, row, level })),
  ...tailOf(`rows ${level}`, source),
];

/** The groups, with the findings of the open group below it. */
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
