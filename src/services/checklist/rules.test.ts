import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { CHECKLIST_TASK_TYPES, type ChecklistTaskChange } from './contract.ts';
import { levelOf, statusOf, validateChanges } from './rules.ts';

const nothing = {
  hasColleagues: false,
  hasScan: false,
  hasTokenForCi: false,
  hasDecidedOnCode: false,
  hasDecidedOnDependency: false,
  hasOwnRules: false,
  hasIgnores: false,
};
const everything = {
  hasColleagues: true,
  hasScan: true,
  hasTokenForCi: true,
  hasDecidedOnCode: true,
  hasDecidedOnDependency: true,
  hasOwnRules: true,
  hasIgnores: true,
};
const facts = fc.record({
  hasColleagues: fc.boolean(),
  hasScan: fc.boolean(),
  hasTokenForCi: fc.boolean(),
  hasDecidedOnCode: fc.boolean(),
  hasDecidedOnDependency: fc.boolean(),
  hasOwnRules: fc.boolean(),
  hasIgnores: fc.boolean(),
});
const marks = fc.subarray([...CHECKLIST_TASK_TYPES]).map((tasks) => new Set<string>(tasks));
const stateIn = (list: ReturnType<typeof statusOf>, type: string) => list.find((one) => one.type === type)?.state;

describe('the checklist', () => {
  test('has every task once for any facts', () => {
    fc.assert(
      fc.property(facts, marks, (seen, ticked) => {
        const types = statusOf(seen, ticked).map(({ type }) => type);
        assert.deepEqual(types, [...CHECKLIST_TASK_TYPES]);
      }),
    );
  });

  test('a fact or a mark completes a task, and further ones never undo that', () => {
    fc.assert(
      fc.property(facts, marks, fc.constantFrom(...CHECKLIST_TASK_TYPES), (seen, ticked, task) => {
        const before = statusOf(seen, ticked).filter(({ state }) => state === 'TASK_STATE_COMPLETE');
        const after = statusOf(everything, new Set([...ticked, task]));
        assert.equal(stateIn(after, task), 'TASK_STATE_COMPLETE');
        for (const { type } of before) assert.equal(stateIn(after, type), 'TASK_STATE_COMPLETE');
      }),
    );
  });

  test('triage is locked until there is a scan', () => {
    assert.equal(stateIn(statusOf(nothing, new Set()), 'TASK_TYPE_TRIAGE_DEPENDENCY'), 'TASK_STATE_LOCKED');
    const scanned = statusOf({ ...nothing, hasScan: true }, new Set());
    assert.equal(stateIn(scanned, 'TASK_TYPE_TRIAGE_DEPENDENCY'), 'TASK_STATE_INCOMPLETE');
    assert.equal(stateIn(scanned, 'TASK_TYPE_SCAN_CODE'), 'TASK_STATE_COMPLETE');
  });
});

describe('a change', () => {
  const codes = (changes: ChecklistTaskChange[]) =>
    validateChanges(changes, statusOf(nothing, new Set())).map(({ code }) => code);

  test('with each task once, at its level and unlocked, is accepted', () => {
    const changes = CHECKLIST_TASK_TYPES.map((type) => ({
      type,
      state: 'TASK_STATE_INCOMPLETE' as const,
      level: levelOf(type),
    }));
    assert.deepEqual(codes(changes), []);
  });

  test('with repeated, locked or misplaced tasks is refused, with an error for each entry', () => {
    const state = 'TASK_STATE_COMPLETE';
    assert.deepEqual(
      codes([
        { type: 'TASK_TYPE_JOIN_SLACK', state },
        { type: 'TASK_TYPE_JOIN_SLACK', state },
        { type: 'TASK_TYPE_CUSTOMIZE_RULES', state: 'TASK_STATE_LOCKED' },
        { type: 'TASK_TYPE_COMPLETE_TOUR', state, level: 'TASK_LEVEL_ORG' },
        { type: 'TASK_TYPE_TRIAGE_FIRST_PARTY', state },
      ]),
      ['REPEATED', 'NOT_BY_HAND', 'WRONG_LEVEL', 'TASK_LOCKED'],
    );
  });
});
