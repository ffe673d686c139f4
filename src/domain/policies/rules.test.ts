import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  boardSlugOf,
  columnSlugOf,
  errorsForMissingItems,
  itemKeyOf,
  modeOfPolicy,
  modesAfterPlan,
  POLICY_MODES,
  planChanges,
  policySlugOf,
  type RuleboardChange,
} from './rules.ts';
import { RULE_MODES, RULEBOARD_PRODUCTS, type RuleMode } from './shape.ts';

const product = fc.constantFrom(...RULEBOARD_PRODUCTS);
const mode = fc.constantFrom(...RULE_MODES);
const path = fc.constantFrom('a', 'b', 'c', 'p/d');
const anyCase = (words: readonly string[]) =>
  fc.tuple(fc.constantFrom(...words), fc.boolean()).map(([word, isLoud]) => (isLoud ? word.toUpperCase() : word));
const changesFor = (types: readonly string[], updates: readonly string[]) =>
  fc.record({ id: path, type: anyCase(types), update: anyCase(updates), mode, isShort: fc.boolean() });
const drafted = changesFor(['rule', 'ruleset', 'pack'], ['add', 'update', 'move', 'remove', 'delete']);
const board = fc
  .array(fc.tuple(fc.constantFrom('rule a', 'rule b', 'ruleset p/d'), mode))
  .map((entries) => new Map<string, RuleMode>(entries));

const changesOf = (
  wanted: (typeof RULEBOARD_PRODUCTS)[number],
  drafts: readonly { id: string; type: string; update: string; mode: RuleMode; isShort: boolean }[],
): RuleboardChange[] =>
  drafts.map(({ id, type, update, mode: column, isShort }) => ({
    item: { id, type },
    policy: isShort ? column : columnSlugOf(wanted, column),
    update_type: update,
  }));

test('every known value is accepted in any case, and each item gets one step', () => {
  fc.assert(
    fc.property(product, fc.uniqueArray(drafted, { selector: ({ id }) => id }), (wanted, drafts) => {
      const { steps, errors } = planChanges(wanted, changesOf(wanted, drafts));
      assert.deepEqual(errors, []);
      assert.equal(steps.size, drafts.length);
      for (const draft of drafts) {
        const kind = draft.type.toLowerCase() === 'rule' ? 'rule' : 'ruleset';
        const step = steps.get(itemKeyOf({ kind, path: draft.id }));
        const isRemoval = ['remove', 'delete'].includes(draft.update.toLowerCase());
        assert.equal(step?.mode, isRemoval ? undefined : draft.mode);
      }
    }),
  );
});

test('applying a plan twice is the same as once', () => {
  fc.assert(
    fc.property(product, fc.uniqueArray(drafted, { selector: ({ id }) => id }), board, (wanted, drafts, before) => {
      const plan = planChanges(wanted, changesOf(wanted, drafts));
      const once = modesAfterPlan(plan, before);
      assert.deepEqual(modesAfterPlan(plan, once), once);
    }),
  );
});

test('a plan touches only the items it names', () => {
  fc.assert(
    fc.property(product, fc.uniqueArray(drafted, { selector: ({ id }) => id }), board, (wanted, drafts, before) => {
      const plan = planChanges(wanted, changesOf(wanted, drafts));
      const after = modesAfterPlan(plan, before);
      for (const [key, had] of before) if (!plan.steps.has(key)) assert.equal(after.get(key), had);
      for (const key of after.keys()) assert.ok(before.has(key) || plan.steps.has(key));
    }),
  );
});

test('only items on the board can be updated', () => {
  const plan = planChanges('sast', [
    { item: { id: 'a', type: 'rule' }, policy: 'block', update_type: 'update' },
    { item: { id: 'b', type: 'rule' }, policy: 'block', update_type: 'move' },
    { item: { id: 'c', type: 'rule' }, update_type: 'remove' },
  ]);
  assert.deepEqual(
    errorsForMissingItems(plan, new Map([['rule a', 'monitor']])).map(({ pointer }) => pointer),
    ['#/changes/1/item'],
  );
});

test('an unknown value is refused with the allowed values', () => {
  const { errors, steps } = planChanges('sast', [
    { item: { id: 'a', type: 'rulez' }, policy: 'rule-board-secrets-block', update_type: 'upsert' },
  ]);
  assert.equal(steps.size, 0);
  assert.deepEqual(
    errors.map(({ pointer, detail }) => [pointer, detail]),
    [
      ['#/changes/0/item/type', 'expected one of rule, ruleset, pack'],
      ['#/changes/0/update_type', 'expected one of add, update, move, remove, delete'],
      [
        '#/changes/0/policy',
        'expected one of rule-board-audit, monitor, rule-board-pr-comments, comment, rule-board-block, block, ' +
          'rule-board-disabled, disabled',
      ],
    ],
  );
});

test('names of Object.prototype members are unknown values', () => {
  for (const word of ['constructor', '__proto__', 'toString', '']) {
    const { errors } = planChanges('sast', [{ item: { id: 'a', type: word }, policy: word, update_type: word }]);
    assert.equal(errors.length, 3, word);
  }
});

test('an item that is listed twice is planned once if the changes are equal, else refused', () => {
  const add = { item: { id: 'a', type: 'rule' }, policy: 'block', update_type: 'add' };
  assert.deepEqual(planChanges('sast', [add, { ...add, update_type: 'ADD' }]).errors, []);
  assert.equal(planChanges('sast', [add, { ...add, policy: 'comment' }]).errors[0]?.code, 'CONTRADICTION');
});

test('the modes of the deprecated API and the columns of boards correspond one to one', () => {
  for (const one of RULE_MODES) assert.equal(modeOfPolicy(POLICY_MODES[one]), one);
  const columns = RULEBOARD_PRODUCTS.flatMap((wanted) => RULE_MODES.map((one) => columnSlugOf(wanted, one)));
  assert.equal(new Set(columns).size, columns.length);
});

test('both spellings of a slug identify the same board', () => {
  assert.equal(policySlugOf('global-policy'), 'global_policy');
  assert.equal(boardSlugOf('global_policy'), 'global-policy');
});
