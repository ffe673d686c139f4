export const MODES = ['monitor', 'comment', 'block', 'disabled'] as const;
export type Mode = (typeof MODES)[number];
export type Product = 'sast' | 'secrets';

export const MODE_MEANINGS: Record<Mode, string> = {
  monitor: 'Findings are kept here; pull requests do not show them.',
  comment: 'Findings are shown on pull requests as comments.',
  block: 'Findings are shown on pull requests, and hold the merge back.',
  disabled: 'The rule does not run.',
};

const COLUMNS: Record<Mode, string> = {
  monitor: 'audit',
  comment: 'pr-comments',
  block: 'block',
  disabled: 'disabled',
};

/** A rule or a ruleset on a board. */
export interface Item {
  id: string;
  type: string;
}

export interface Row extends Item {
  mode: Mode;
}

export interface Entry {
  policy: string;
  item: Item;
}

export interface Change {
  item: Item;
  policy?: string;
  update_type: 'add' | 'update' | 'remove';
}

export const keyOf = ({ type, id }: Item): string => `${type} ${id}`;

/** The slug of a column, as the API spells it. */
export const columnOf = (product: Product, mode: Mode): string =>
  `rule-board-${product === 'secrets' ? 'secrets-' : ''}${COLUMNS[mode]}`;

const modeOf = (column: string): Mode =>
  MODES.find((mode) => column === columnOf('sast', mode) || column === columnOf('secrets', mode)) ?? 'monitor';

export const rowsOf = (entries: readonly Entry[]): Row[] =>
  entries.map(({ policy, item: { id, type } }) => ({ id, type, mode: modeOf(policy) }));

/** What shall become of items: a column, or off the board; only what differs from the board is in it. */
export type Staged = ReadonlyMap<string, { item: Item; mode: Mode | undefined }>;

export const NOTHING_STAGED: Staged = new Map();

/** The staged changes after one more; what is put back where it was is no change. */
export function stage(
  staged: Staged,
  rows: readonly Row[],
  { item, mode }: { item: Item; mode: Mode | undefined },
): Staged {
  const key = keyOf(item);
  const before = rows.find((row) => keyOf(row) === key)?.mode;
  const next = new Map(staged);
  if (before === mode) next.delete(key);
  else next.set(key, { item: { id: item.id, type: item.type }, mode });
  return next;
}

/** The board as it will be, with what was before where that differs. */
export interface Line extends Item {
  before: Mode | undefined;
  after: Mode | undefined;
}

export function linesOf(rows: readonly Row[], staged: Staged): Line[] {
  const present = rows.map((row): Line => {
    const change = staged.get(keyOf(row));
    return { id: row.id, type: row.type, before: row.mode, after: change ? change.mode : row.mode };
  });
  const known = new Set(rows.map(keyOf));
  const added = [...staged]
    .filter(([key]) => !known.has(key))
    .map(([, { item, mode }]): Line => ({ ...item, before: undefined, after: mode }));
  return [...added, ...present];
}

export const changedLines = (lines: readonly Line[]): Line[] => lines.filter(({ before, after }) => before !== after);

/** The `changes` of the one request that makes the board so. */
export function changesOf(lines: readonly Line[], product: Product): Change[] {
  return changedLines(lines).map(({ id, type, before, after }): Change => {
    const item = { id, type };
    if (after === undefined) return { item, update_type: 'remove' };
    return { item, policy: columnOf(product, after), update_type: before === undefined ? 'add' : 'update' };
  });
}

/** Lines whose path has each of the words; `in:block` wants a column. */
export function matching(lines: readonly Line[], text: string): Line[] {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return lines.filter(({ id, type, after }) => {
    const all = `${id} ${type}`.toLowerCase();
    return words.every((word) => (word.startsWith('in:') ? word === `in:${after ?? 'none'}` : all.includes(word)));
  });
}

export function countsOf(rows: readonly Row[]): Record<Mode, number> {
  const counts: Record<Mode, number> = { monitor: 0, comment: 0, block: 0, disabled: 0 };
  for (const { mode } of rows) counts[mode] += 1;
  return counts;
}
