import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ancestorsOf, filterTeams, flattenTree } from './team-tree.ts';

const teams = [
  { id: '3', name: 'Backend', parentTeamId: '2' },
  { id: '1', name: 'Everybody', parentTeamId: '0' },
  { id: '4', name: 'Ledger', parentTeamId: '3' },
  { id: '2', name: 'Payments', parentTeamId: '0' },
];

test('each team follows its parent, one level deeper', () => {
  assert.deepEqual(
    flattenTree(teams).map(({ team, level }) => [team.name, level]),
    [
      ['Everybody', 1],
      ['Payments', 1],
      ['Backend', 2],
      ['Ledger', 3],
    ],
  );
});

test('a team with an invisible parent is top-level', () => {
  assert.deepEqual(
    flattenTree([{ id: '4', name: 'Ledger', parentTeamId: '3' }]).map(({ level }) => level),
    [1],
  );
});

test('the filter keeps the ancestors of matching teams', () => {
  assert.deepEqual(
    filterTeams(teams, 'LEDG').map(({ name }) => name),
    ['Backend', 'Ledger', 'Payments'],
  );
  assert.deepEqual(ancestorsOf('4', teams), ['3', '2']);
});
