export const RULE_MODES = ['monitor', 'comment', 'block', 'disabled'] as const;
export type RuleMode = (typeof RULE_MODES)[number];
export type BoardProduct = 'sast' | 'secrets';

export const MODE_DESCRIPTIONS: Record<RuleMode, string> = {
  monitor: 'Findings are recorded but not shown on pull requests.',
  comment: 'Findings are shown on pull requests as comments.',
  block: 'Findings are shown on pull requests and block the merge.',
  disabled: 'The rule does not run.',
};

const COLUMNS: Record<RuleMode, string> = {
  monitor: 'audit',
  comment: 'pr-comments',
  block: 'block',
  disabled: 'disabled',
};

/** A rule or ruleset on a ruleboard. */
export interface BoardItem {
  id: string;
  type: string;
}

export interface BoardRule extends BoardItem {
  mode: RuleMode;
}

export interface RuleboardEntry {
  policy: string;
  item: BoardItem;
}

export interface RuleboardChange {
  item: BoardItem;
  policy?: string;
  update_type: 'add' | 'update' | 'remove';
}

export const itemKey = ({ type, id }: BoardItem): string => `${type} ${id}`;

/** The API's slug of a column. */
export const columnSlug = (product: BoardProduct, mode: RuleMode): string =>
  `rule-board-${product === 'secrets' ? 'secrets-' : ''}${COLUMNS[mode]}`;

const modeOf = (column: string): RuleMode =>
  RULE_MODES.find((mode) => column === columnSlug('sast', mode) || column === columnSlug('secrets', mode)) ?? 'monitor';

export const rulesFromEntries = (entries: readonly RuleboardEntry[]): BoardRule[] =>
  entries.map(({ policy, item: { id, type } }) => ({ id, type, mode: modeOf(policy) }));

/** Changes that are not saved yet, by item: the new column, or undefined to remove it. */
export type StagedBoardChanges = ReadonlyMap<string, { item: BoardItem; mode: RuleMode | undefined }>;

export const NO_STAGED_CHANGES: StagedBoardChanges = new Map();

/** Adds a change; moving an item back to its original column removes the change. */
export function stageChange(
  staged: StagedBoardChanges,
  rows: readonly BoardRule[],
  { item, mode }: { item: BoardItem; mode: RuleMode | undefined },
): StagedBoardChanges {
  const key = itemKey(item);
  const before = rows.find((row) => itemKey(row) === key)?.mode;
  const next = new Map(staged);
  if (before === mode) next.delete(key);
  else next.set(key, { item: { id: item.id, type: item.type }, mode });
  return next;
}

/** An item with its column before and after the staged changes. */
export interface BoardLine extends BoardItem {
  before: RuleMode | undefined;
  after: RuleMode | undefined;
}

export function boardLines(rows: readonly BoardRule[], staged: StagedBoardChanges): BoardLine[] {
  const present = rows.map((row): BoardLine => {
    const change = staged.get(itemKey(row));
    return { id: row.id, type: row.type, before: row.mode, after: change ? change.mode : row.mode };
  });
  const known = new Set(rows.map(itemKey));
  const added = [...staged]
    .filter(([key]) => !known.has(key))
    .map(([, { item, mode }]): BoardLine => ({ ...item, before: undefined, after: mode }));
  return [...added, ...present];
}

export const changedLines = (lines: readonly BoardLine[]): BoardLine[] =>
  lines.filter(({ before, after }) => before !== after);

/** The `changes` of the update request. */
export function updateChanges(lines: readonly BoardLine[], product: BoardProduct): RuleboardChange[] {
  return changedLines(lines).map(({ id, type, before, after }): RuleboardChange => {
    const item = { id, type };
    if (after === undefined) return { item, update_type: 'remove' };
    return { item, policy: columnSlug(product, after), update_type: before === undefined ? 'add' : 'update' };
  });
}

/** Lines whose path contains all words; `in:block` filters by column. */
export function filterLines(lines: readonly BoardLine[], text: string): BoardLine[] {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return lines.filter(({ id, type, after }) => {
    const all = `${id} ${type}`.toLowerCase();
    return words.every((word) => (word.startsWith('in:') ? word === `in:${after ?? 'none'}` : all.includes(word)));
  });
}

export function countByMode(rows: readonly BoardRule[]): Record<RuleMode, number> {
  const counts: Record<RuleMode, number> = { monitor: 0, comment: 0, block: 0, disabled: 0 };
  for (const { mode } of rows) counts[mode] += 1;
  return counts;
}
