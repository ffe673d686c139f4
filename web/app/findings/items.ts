import type { FindingGroup, Source } from './queries.ts';
import type { Row } from './row.ts';

/** One line of the list. */
export type Item =
  | { kind: 'row'; id: string; row: Row; level: 1 | 2 }
  | { kind: 'group'; id: string; group: FindingGroup; isOpen: boolean }
  | { kind: 'wait'; id: string }
  | { kind: 'failed'; id: string; error: unknown; retry: () => void };

/** What stands at the end of pages that have more to come, or that could not be got. */
function tailOf(id: string, { isLoading, hasMore, error, retry }: Source<unknown>): Item[] {
  if (error !== undefined) return [{ kind: 'failed', id: `failed ${id}`, error, retry }];
  return isLoading || hasMore ? [{ kind: 'wait', id: `wait ${id}` }] : [];
}

export const rowItems = (source: Source<Row>, level: 1 | 2 = 1): Item[] => [
  ...source.lines.map((row): Item => ({ kind: 'row', id: row.id, row, level })),
  ...tailOf(`rows ${level}`, source),
];

/** The groups, with the findings of the one that is open below it. */
export const groupItems = (groups: Source<FindingGroup>, open: string | undefined, rows: Source<Row>): Item[] => [
  ...groups.lines.flatMap((group): Item[] => {
    const isOpen = group.key === open;
    return [{ kind: 'group', id: `group ${group.key}`, group, isOpen }, ...(isOpen ? rowItems(rows, 2) : [])];
  }),
  ...tailOf('groups', groups),
];
