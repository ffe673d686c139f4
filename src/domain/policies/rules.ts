import type { FieldError } from '#kernel/contract/fault.ts';
import { type PolicyMode, RULE_MODES, type RuleboardItemKind, type RuleboardProduct, type RuleMode } from './shape.ts';

/** What a board holds at most: the API shows all of it in one reply. */
export const MAX_RULEBOARD_ITEMS = 5000;

const COLUMNS: Record<RuleMode, string> = {
  monitor: 'audit',
  comment: 'pr-comments',
  block: 'block',
  disabled: 'disabled',
};

/** The slug of the column that a mode stands for on the boards of a product. */
export const columnSlugOf = (product: RuleboardProduct, mode: RuleMode): string =>
  `${product === 'secrets' ? 'rule-board-secrets-' : 'rule-board-'}${COLUMNS[mode]}`;

const COLUMN_NAMES: Record<RuleMode, string> = {
  monitor: 'Audit',
  comment: 'PR Comments',
  block: 'Block',
  disabled: 'Disabled',
};

/** The name of the same column, for people. */
export const columnNameOf = (product: RuleboardProduct, mode: RuleMode): string =>
  `${product === 'secrets' ? 'Secrets Rule Board' : 'Rule Board'} - ${COLUMN_NAMES[mode]} column`;

export const POLICY_MODES: Record<RuleMode, PolicyMode> = {
  monitor: 'MODE_MONITOR',
  comment: 'MODE_COMMENT',
  block: 'MODE_BLOCK',
  disabled: 'MODE_DISABLED',
};

export const modeOfPolicy = (wanted: PolicyMode): RuleMode =>
  RULE_MODES.find((mode) => POLICY_MODES[mode] === wanted) ?? 'monitor';

const UPDATES = { add: 'add', update: 'update', move: 'update', remove: 'remove', delete: 'remove' } as const;
const TYPES = { rule: 'rule', ruleset: 'ruleset', pack: 'ruleset' } as const;

/** The meaning of a word, whatever its case; undefined when it is none of the list. */
function meaningOf<Meaning>(list: Readonly<Record<string, Meaning>>, word: string): Meaning | undefined {
  const plain = word.trim().toLowerCase();
  return Object.hasOwn(list, plain) ? list[plain] : undefined;
}

const columnsOf = (product: RuleboardProduct): Record<string, RuleMode> =>
  Object.fromEntries(
    RULE_MODES.flatMap((mode) => [
      [columnSlugOf(product, mode), mode],
      [mode, mode],
    ]),
  );

export interface RuleboardChange {
  item: { id: string; type: string };
  policy?: string | undefined;
  update_type: string;
}

/** What shall become of one rule or ruleset of a board. */
export interface RuleboardStep {
  kind: RuleboardItemKind;
  path: string;
  /** The column to be in afterwards; undefined takes it off the board. */
  mode: RuleMode | undefined;
  mustExist: boolean;
}

export interface RuleboardPlan {
  /** One step for each item, by its key. */
  steps: Map<string, RuleboardStep & { index: number }>;
  errors: FieldError[];
}

export const itemKeyOf = ({ kind, path }: { kind: RuleboardItemKind; path: string }): string => `${kind} ${path}`;

const sameStep = (one: RuleboardStep, other: RuleboardStep) =>
  one.mode === other.mode && one.mustExist === other.mustExist;

/** Reads a list of changes: every word that means nothing is refused with the words that do. */
export function planChanges(product: RuleboardProduct, changes: readonly RuleboardChange[]): RuleboardPlan {
  const plan: RuleboardPlan = { steps: new Map(), errors: [] };
  for (const [index, change] of changes.entries()) {
    const pointer = `#/changes/${index}`;
    const before = plan.errors.length;
    const unknown = (member: string, list: Readonly<Record<string, unknown>>) =>
      plan.errors.push({
        pointer: `${pointer}/${member}`,
        code: 'UNKNOWN_WORD',
        detail: `expected one of ${Object.keys(list).join(', ')}`,
      });
    const kind = meaningOf<RuleboardItemKind>(TYPES, change.item.type);
    if (kind === undefined) unknown('item/type', TYPES);
    const update = meaningOf<'add' | 'update' | 'remove'>(UPDATES, change.update_type);
    if (update === undefined) unknown('update_type', UPDATES);
    const columns = columnsOf(product);
    const mode = meaningOf(columns, change.policy ?? '');
    const isNeeded = update !== 'remove' || (change.policy ?? '') !== '';
    if (mode === undefined && isNeeded) unknown('policy', columns);
    if (plan.errors.length > before || kind === undefined) continue;
    const step = {
      kind,
      path: change.item.id,
      mode: update === 'remove' ? undefined : mode,
      mustExist: update === 'update',
      index,
    };
    const earlier = plan.steps.get(itemKeyOf(step));
    if (earlier && !sameStep(earlier, step))
      plan.errors.push({ pointer, code: 'CONTRADICTION', detail: 'is listed twice with different changes' });
    plan.steps.set(itemKeyOf(step), step);
  }
  return plan;
}

/** Steps that move what is not on the board. */
export function errorsForMissingItems({ steps }: RuleboardPlan, before: ReadonlyMap<string, RuleMode>): FieldError[] {
  return [...steps]
    .filter(([key, { mustExist }]) => mustExist && !before.has(key))
    .map(([, { index }]) => ({
      pointer: `#/changes/${index}/item`,
      code: 'NOT_ON_BOARD',
      detail: 'is not on the board: add it instead',
    }));
}

/** The board after the plan: what the store must make true. */
export function modesAfterPlan({ steps }: RuleboardPlan, before: ReadonlyMap<string, RuleMode>): Map<string, RuleMode> {
  const after = new Map(before);
  for (const [key, { mode }] of steps) {
    if (mode === undefined) after.delete(key);
    else after.set(key, mode);
  }
  return after;
}

/** The deprecated API spells slugs with underscores; slugs of boards have none, so both spellings are one. */
export const policySlugOf = (slug: string): string => slug.replaceAll('-', '_');
export const boardSlugOf = (slug: string): string => slug.replaceAll('_', '-');
