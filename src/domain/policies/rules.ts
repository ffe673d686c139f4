import { createHash } from 'node:crypto';
import type { FieldError } from '#kernel/contract/fault.ts';
import { type PolicyMode, RULE_MODES, type RuleboardItemKind, type RuleboardProduct, type RuleMode } from './shape.ts';

/** Limited because the API returns all items of a board in one reply. */
export const MAX_RULEBOARD_ITEMS = 5000;

const COLUMNS: Record<RuleMode, string> = {
  monitor: 'audit',
  comment: 'pr-comments',
  block: 'block',
  disabled: 'disabled',
};

/** The slug of the column for a mode on the boards of a product. */
export const columnSlugOf = (product: RuleboardProduct, mode: RuleMode): string =>
  `${product === 'secrets' ? 'rule-board-secrets-' : 'rule-board-'}${COLUMNS[mode]}`;

const COLUMN_NAMES: Record<RuleMode, string> = {
  monitor: 'Audit',
  comment: 'PR Comments',
  block: 'Block',
  disabled: 'Disabled',
};

/** The display name of that column. */
export const columnNameOf = (product: RuleboardProduct, mode: RuleMode): string =>
  `${product === 'secrets' ? 'Secrets Rule Board' : 'Rule Board'} - ${COLUMN_NAMES[mode]} column`;

export const POLICY_MODES: Record<RuleMode, PolicyMode> = {
  monitor: 'MODE_MONITOR',
  comment: 'MODE_COMMENT',
  block: 'MODE_BLOCK',
  disabled: 'MODE_DISABLED',
};

export const modeOfPolicy = (policyMode: PolicyMode): RuleMode =>
  RULE_MODES.find((mode) => POLICY_MODES[mode] === policyMode) ?? 'monitor';

const UPDATES = { add: 'add', update: 'update', move: 'update', remove: 'remove', delete: 'remove' } as const;
const TYPES = { rule: 'rule', ruleset: 'ruleset', pack: 'ruleset' } as const;

/** Looks up a name ignoring case; undefined if it is not in the table. */
function lookUp<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  const key = name.trim().toLowerCase();
  return Object.hasOwn(table, key) ? table[key] : undefined;
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

/** The planned change of one rule or ruleset on a board. */
export interface RuleboardStep {
  kind: RuleboardItemKind;
  path: string;
  /** The new mode; undefined removes the item. */
  mode: RuleMode | undefined;
  mustExist: boolean;
}

export interface RuleboardPlan {
  /** One step per item, by the item's key. */
  steps: Map<string, RuleboardStep & { index: number }>;
  errors: FieldError[];
}

export const itemKeyOf = ({ kind, path }: { kind: RuleboardItemKind; path: string }): string => `${kind} ${path}`;

const isSameStep = (left: RuleboardStep, right: RuleboardStep) =>
  left.mode === right.mode && left.mustExist === right.mustExist;

/** Plans a list of changes; the error of an unknown value lists the allowed values. */
export function planChanges(product: RuleboardProduct, changes: readonly RuleboardChange[]): RuleboardPlan {
  const plan: RuleboardPlan = { steps: new Map(), errors: [] };
  for (const [index, change] of changes.entries()) {
    const pointer = `#/changes/${index}`;
    const before = plan.errors.length;
    const addUnknown = (member: string, allowed: Readonly<Record<string, unknown>>) =>
      plan.errors.push({
        pointer: `${pointer}/${member}`,
        code: 'UNKNOWN_WORD',
        detail: `expected one of ${Object.keys(allowed).join(', ')}`,
      });
    const kind = lookUp<RuleboardItemKind>(TYPES, change.item.type);
    if (kind === undefined) addUnknown('item/type', TYPES);
    const update = lookUp<'add' | 'update' | 'remove'>(UPDATES, change.update_type);
    if (update === undefined) addUnknown('update_type', UPDATES);
    const columns = columnsOf(product);
    const mode = lookUp(columns, change.policy ?? '');
    const isNeeded = update !== 'remove' || (change.policy ?? '') !== '';
    if (mode === undefined && isNeeded) addUnknown('policy', columns);
    if (plan.errors.length > before || kind === undefined) continue;
    const step = {
      kind,
      path: change.item.id,
      mode: update === 'remove' ? undefined : mode,
      mustExist: update === 'update',
      index,
    };
    const earlier = plan.steps.get(itemKeyOf(step));
    if (earlier && !isSameStep(earlier, step))
      plan.errors.push({ pointer, code: 'CONTRADICTION', detail: 'is listed twice with different changes' });
    plan.steps.set(itemKeyOf(step), step);
  }
  return plan;
}

/** The errors of steps that update items that are not on the board. */
export function errorsForMissingItems({ steps }: RuleboardPlan, before: ReadonlyMap<string, RuleMode>): FieldError[] {
  return [...steps]
    .filter(([key, { mustExist }]) => mustExist && !before.has(key))
    .map(([, { index }]) => ({
      pointer: `#/changes/${index}/item`,
      code: 'NOT_ON_BOARD',
      detail: 'is not on the board: add it instead',
    }));
}

/** The modes of all items after the plan. */
export function modesAfterPlan({ steps }: RuleboardPlan, before: ReadonlyMap<string, RuleMode>): Map<string, RuleMode> {
  const after = new Map(before);
  for (const [key, { mode }] of steps) {
    if (mode === undefined) after.delete(key);
    else after.set(key, mode);
  }
  return after;
}

/** Clients may read ids as doubles. */
const SAFE_ID_BITS = 53;

/** The number of a rule in the deprecated API: the same on all boards, also for the rules of a ruleset. */
export const policyRuleIdOf = (path: string): string =>
  BigInt.asUintN(SAFE_ID_BITS, createHash('sha256').update(path).digest().readBigUInt64BE()).toString();

/** The deprecated API writes slugs with underscores; board slugs have none, so the mapping is unambiguous. */
export const policySlugOf = (slug: string): string => slug.replaceAll('-', '_');
export const boardSlugOf = (slug: string): string => slug.replaceAll('_', '-');
