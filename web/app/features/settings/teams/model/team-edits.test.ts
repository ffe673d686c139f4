import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  applyEdits,
  countChanges,
  diffTeams,
  NO_EDITS,
  type TeamState,
  updateTeamBody,
  withName,
  withPerson,
  withProject,
} from './team-edits.ts';

const base: TeamState = {
  name: 'Payments',
  people: new Map([
    ['1', 'TEAM_ROLE_MANAGER'],
    ['2', 'TEAM_ROLE_MEMBER'],
  ]),
  projects: new Set(['10', '11']),
};

test('edits become one request with only the changed members', () => {
  let staged = withName(NO_EDITS, 'Ledger ');
  staged = withPerson(staged, '3', 'TEAM_ROLE_READONLY');
  staged = withPerson(staged, '2', 'TEAM_ROLE_MANAGER');
  staged = withPerson(staged, '1', undefined);
  staged = withProject(staged, '12', true);
  staged = withProject(staged, '10', false);
  const difference = diffTeams(base, applyEdits(base, staged));
  assert.equal(countChanges(difference), 6);
  assert.deepEqual(updateTeamBody(difference), {
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

test('a reverted edit is not a change', () => {
  const staged = withProject(withPerson(withName(NO_EDITS, 'Payments'), '2', 'TEAM_ROLE_MEMBER'), '10', true);
  assert.equal(countChanges(diffTeams(base, applyEdits(base, staged))), 0);
});

test('edits that another user already made are dropped', () => {
  const staged = withProject(withPerson(NO_EDITS, '2', undefined), '12', true);
  const meanwhile: TeamState = {
    ...base,
    people: new Map([['1', 'TEAM_ROLE_MANAGER']]),
    projects: new Set(['10', '12']),
  };
  assert.equal(countChanges(diffTeams(meanwhile, applyEdits(meanwhile, staged))), 0);
});

test('applying a diff to the old state always gives the new state', () => {
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
      const { team } = updateTeamBody(diffTeams(before, after));
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
      assert.equal(countChanges(diffTeams(applyEdits(before, staged), after)), 0);
    }),
  );
});
