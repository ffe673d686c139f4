import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  applied,
  bodyOf,
  differenceOf,
  NOTHING,
  sizeOf,
  type TeamState,
  withName,
  withPerson,
  withProject,
} from './staging.ts';

const base: TeamState = {
  name: 'Payments',
  people: new Map([
    ['1', 'TEAM_ROLE_MANAGER'],
    ['2', 'TEAM_ROLE_MEMBER'],
  ]),
  projects: new Set(['10', '11']),
};

test('a staged change becomes one request that names only what changes', () => {
  let staged = withName(NOTHING, 'Ledger ');
  staged = withPerson(staged, '3', 'TEAM_ROLE_READONLY');
  staged = withPerson(staged, '2', 'TEAM_ROLE_MANAGER');
  staged = withPerson(staged, '1', undefined);
  staged = withProject(staged, '12', true);
  staged = withProject(staged, '10', false);
  const difference = differenceOf(base, applied(base, staged));
  assert.equal(sizeOf(difference), 6);
  assert.deepEqual(bodyOf(difference), {
    team: {
      name: 'Ledger',
      users: [
        { userId: '3', action: 'UPDATE_ACTION_ADD', role: 'TEAM_ROLE_READONLY' },
        { userId: '2', action: 'UPDATE_ACTION_UPDATE', role: 'TEAM_ROLE_MANAGER' },
        { userId: '1', action: 'UPDATE_ACTION_REMOVE' },
      ],
      repositories: [
        { repositoryId: '12', action: 'UPDATE_ACTION_ADD' },
        { repositoryId: '10', action: 'UPDATE_ACTION_REMOVE' },
      ],
    },
  });
});

test('what was staged and put back is no change', () => {
  const staged = withProject(withPerson(withName(NOTHING, 'Payments'), '2', 'TEAM_ROLE_MEMBER'), '10', true);
  assert.equal(sizeOf(differenceOf(base, applied(base, staged))), 0);
});

test('what somebody else did meanwhile is no longer part of the change', () => {
  const staged = withProject(withPerson(NOTHING, '2', undefined), '12', true);
  const meanwhile: TeamState = {
    ...base,
    people: new Map([['1', 'TEAM_ROLE_MANAGER']]),
    projects: new Set(['10', '12']),
  };
  assert.equal(sizeOf(differenceOf(meanwhile, applied(meanwhile, staged))), 0);
});

test('a difference, applied to where it starts, always leads to where it ends', () => {
  const ids = fc.uniqueArray(fc.constantFrom('1', '2', '3', '4', '5'));
  const state = fc
    .record({ name: fc.constantFrom('A', 'B'), people: ids, projects: ids, role: fc.constantFrom('X', 'Y') })
    .map(({ name, people, projects, role }) => ({
      name,
      people: new Map(people.map((id) => [id, role])),
      projects: new Set(projects),
    }));
  fc.assert(
    fc.property(state, state, (before, after) => {
      const { team } = bodyOf(differenceOf(before, after));
      const staged = {
        name: team.name,
        people: new Map(
          (team.users ?? []).map(({ userId, action, role }) => [
            userId,
            action === 'UPDATE_ACTION_REMOVE' ? undefined : role,
          ]),
        ),
        projects: new Map(
          (team.repositories ?? []).map(({ repositoryId, action }) => [repositoryId, action === 'UPDATE_ACTION_ADD']),
        ),
      };
      assert.equal(sizeOf(differenceOf(applied(before, staged), after)), 0);
    }),
  );
});
