import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { applyListPlan, planTeamList, type TeamListEntry } from './rules.ts';

const kind = { pointer: '#/team/users', hasRoles: true };
const id = fc.integer({ min: 1, max: 9 }).map(String);
const role = fc.constantFrom('TEAM_ROLE_MEMBER', 'TEAM_ROLE_MANAGER');
const plainEntry: fc.Arbitrary<TeamListEntry> = fc.record({ id, role: fc.option(role, { nil: undefined }) });
const actionEntry: fc.Arbitrary<TeamListEntry> = fc.record({
  id,
  action: fc.constantFrom('UPDATE_ACTION_ADD', 'UPDATE_ACTION_UPDATE', 'UPDATE_ACTION_REMOVE'),
  role: fc.option(role, { nil: undefined }),
});
const memberRoles = fc.dictionary(id, role).map((entries) => new Map(Object.entries(entries)));

test('a list without actions replaces the list', () => {
  fc.assert(
    fc.property(fc.uniqueArray(plainEntry, { selector: (entry) => entry.id }), memberRoles, (entries, before) => {
      const { plan, errors } = planTeamList(entries, kind);
      assert.deepEqual(errors, []);
      const after = applyListPlan(plan, before, 'TEAM_ROLE_MEMBER');
      assert.deepEqual(new Set(after.keys()), new Set(entries.map((entry) => entry.id)));
    }),
  );
});

test('a list with actions changes only the listed entries', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(actionEntry, { selector: (entry) => entry.id, minLength: 1 }),
      memberRoles,
      (entries, before) => {
        const { plan } = planTeamList(entries, kind);
        const after = applyListPlan(plan, before, 'TEAM_ROLE_MEMBER');
        const named = new Set(entries.map((entry) => entry.id));
        for (const [member, had] of before) if (!named.has(member)) assert.equal(after.get(member), had);
        for (const { id: member, action } of entries)
          assert.equal(after.has(member), action !== 'UPDATE_ACTION_REMOVE');
      },
    ),
  );
});

test('applying a change twice equals applying it once', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(plainEntry)), memberRoles, (entries, before) => {
      const { plan } = planTeamList(entries, kind);
      const once = applyListPlan(plan, before, 'TEAM_ROLE_MEMBER');
      assert.deepEqual(applyListPlan(plan, once, 'TEAM_ROLE_MEMBER'), once);
    }),
  );
});

test('a mix of entries with and without action is always refused', () => {
  fc.assert(
    fc.property(fc.array(plainEntry, { minLength: 1 }), fc.array(actionEntry, { minLength: 1 }), (plain, acting) => {
      const { errors } = planTeamList([...plain, ...acting], kind);
      assert.ok(errors.some(({ code }) => code === 'MIXED_ACTIONS'));
    }),
  );
});

test('a duplicate id with different changes is refused, with equal changes it is applied once', () => {
  const twice = planTeamList(
    [
      { id: '1', action: 'UPDATE_ACTION_ADD' },
      { id: '1', action: 'UPDATE_ACTION_REMOVE' },
    ],
    kind,
  );
  assert.deepEqual(
    twice.errors.map(({ code }) => code),
    ['CONTRADICTION'],
  );
  assert.deepEqual(planTeamList([{ id: '1' }, { id: '1' }], kind).errors, []);
});

test('repositories have no role to update, and an update of a user needs one', () => {
  const update: TeamListEntry[] = [{ id: '1', action: 'UPDATE_ACTION_UPDATE' }];
  assert.equal(planTeamList(update, { ...kind, hasRoles: false }).errors[0]?.code, 'NOT_UPDATABLE');
  assert.equal(planTeamList(update, kind).errors[0]?.code, 'REQUIRED');
});
