import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AccessImpactInput, accessImpactOf, reachableTeams } from './access-impact.ts';

const parents = new Map([
  ['1', '0'],
  ['2', '0'],
  ['3', '2'],
]);
const state = (people: string[], projects: string[]) => ({
  name: 'Payments',
  people: new Map(people.map((id) => [id, 'TEAM_ROLE_MEMBER'])),
  projects: new Set(projects),
});
const scene = (change: Partial<AccessImpactInput>): AccessImpactInput => ({
  teamId: '2',
  before: state(['a'], ['p']),
  after: state(['a'], ['p']),
  people: [],
  parents,
  projectsOf: new Map([
    ['1', ['shared']],
    ['3', ['below']],
  ]),
  ...change,
});

test('a new member gains the projects of the team and its sub-teams', () => {
  const people = [{ id: 'b', isAdmin: false, teams: ['1'] }];
  assert.deepEqual(accessImpactOf(scene({ after: state(['a', 'b'], ['p']), people })), [
    { personId: 'b', gains: ['p', 'below'], loses: [] },
  ]);
});

test('a removed member keeps the projects of their other teams', () => {
  const people = [{ id: 'a', isAdmin: false, teams: ['1', '2'] }];
  const change = { before: state(['a'], ['p', 'shared']), after: state([], ['p', 'shared']), people };
  assert.deepEqual(accessImpactOf(scene(change)), [{ personId: 'a', gains: [], loses: ['p', 'below'] }]);
});

test('an added project is also visible to members of parent teams', () => {
  const people = [{ id: 'above', isAdmin: false, teams: ['2'] }];
  const change = {
    teamId: '3',
    before: state([], ['below']),
    after: state([], ['below', 'new']),
    people,
    projectsOf: new Map([['2', ['p']]]),
  };
  assert.deepEqual(accessImpactOf(scene(change)), [{ personId: 'above', gains: ['new'], loses: [] }]);
});

test('administrators gain and lose nothing', () => {
  const people = [{ id: 'a', isAdmin: true, teams: ['2'] }];
  assert.deepEqual(accessImpactOf(scene({ after: state([], []), people })), []);
});

test('a person reaches their teams and all descendants', () => {
  assert.deepEqual([...reachableTeams(['2'], parents)].sort(), ['2', '3']);
});
