import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type GroupRule, MAPPABLE_ROLES, mapGroups, roleAfterSignIn } from './group-mapping.ts';

const rules: GroupRule[] = [
  { group: 'all', role: 'ORG_ROLE_READONLY', teamIds: ['1'] },
  { group: 'admins', role: 'ORG_ROLE_ADMIN', teamIds: ['2'] },
  { group: 'blue', teamIds: ['1', '3'] },
];

test('the strongest role and all teams of the matching groups count', () => {
  assert.deepEqual(mapGroups(rules, ['blue', 'all', 'admins', 'other']), {
    role: 'ORG_ROLE_ADMIN',
    teamIds: ['1', '2', '3'],
    matched: ['all', 'admins', 'blue'],
  });
  assert.deepEqual(mapGroups(rules, ['Admins', 'admins ']), { role: undefined, teamIds: [], matched: [] });
});

test('a role is never above what the rules of the groups give (SSO-09)', () => {
  const rank = (role: string | undefined) => MAPPABLE_ROLES.toReversed().indexOf(role as never);
  const group = fc.constantFrom('a', 'b', 'c', 'd');
  const rule = fc.record({
    group,
    role: fc.option(fc.constantFrom(...MAPPABLE_ROLES), { nil: undefined }),
    teamIds: fc.constant([]),
  });
  fc.assert(
    fc.property(fc.array(rule), fc.array(group), (all, groups) => {
      const given = all.filter((one) => groups.includes(one.group)).map(({ role }) => rank(role));
      const { role } = mapGroups(all, groups);
      assert.equal(rank(role), Math.max(-1, ...given));
      const after = roleAfterSignIn({ mapped: role, current: undefined, previouslyMapped: undefined });
      assert.equal(rank(after), Math.max(0, ...given));
    }),
  );
});

test('a role from a rule ends with the rule, and a role given by hand stays', () => {
  const after = (current: string, previouslyMapped: string | undefined) =>
    roleAfterSignIn({ mapped: undefined, current, previouslyMapped });
  assert.equal(after('ORG_ROLE_ADMIN', 'ORG_ROLE_ADMIN'), 'ORG_ROLE_READONLY');
  assert.equal(after('ORG_ROLE_ADMIN', 'ORG_ROLE_MEMBER'), 'ORG_ROLE_ADMIN');
  assert.equal(after('ORG_ROLE_MEMBER', undefined), 'ORG_ROLE_MEMBER');
});
