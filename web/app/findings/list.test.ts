import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { COLUMN_NAMES, colsOf, columnsOf, templateOf, USUAL } from './columns.ts';
import { ListState } from './list-state.ts';
import { ageOf, placeOf, rowOf } from './row.ts';

const ORDER = ['a', 'b', 'c', 'd'];
const listOf = (order = ORDER) => {
  const list = new ListState();
  list.setOrder(order);
  return list;
};

test('moving stops at both ends, and starts at the end that is nearer', () => {
  const list = listOf();
  assert.equal(list.move(1), 0);
  assert.equal(list.move(-1), 0);
  assert.equal(list.move(10), 3);
  assert.equal(listOf().move(-1), 3);
  assert.equal(listOf([]).move(1), -1);
});

test('a key press tells the two lines that change, and no other', () => {
  const list = listOf();
  const told: string[] = [];
  for (const id of ORDER) list.subscribeTo(id, () => told.push(id));
  list.activate('a');
  told.length = 0;
  list.move(1);
  assert.deepEqual(told, ['a', 'b']);
});

test('a range goes from what was selected last up to the line that one is on, either way', () => {
  const list = listOf();
  list.toggle('c');
  list.selectUpTo('a', (id) => id !== 'b');
  assert.deepEqual([...list.selection.ids].sort(), ['a', 'c']);
});

test('selecting the page twice means all that match; touching a line after it does not', () => {
  const list = listOf();
  list.selectAll(ORDER, true);
  assert.deepEqual(list.selection, { ids: ORDER, isAll: false });
  list.selectAll(ORDER, true);
  assert.equal(list.selection.isAll, true);
  list.toggle('a');
  assert.deepEqual(list.selection, { ids: ['b', 'c', 'd'], isAll: false });
  list.clear();
  assert.deepEqual(list.selection.ids, []);
});

test('columns in the address give the columns back, and the usual ones need no word there', () => {
  assert.equal(colsOf(USUAL), undefined);
  assert.deepEqual(columnsOf('nonsense'), USUAL);
  fc.assert(
    fc.property(fc.subarray(COLUMN_NAMES), (columns) => {
      assert.deepEqual(columnsOf(colsOf(columns)), columns);
      assert.equal(templateOf(columns).split(' ').filter(Boolean).length >= columns.length + 2, true);
    }),
  );
});

test('a dependency is named before what is wrong with it, and its certainty is about reachability', () => {
  const issue = {
    id: '1',
    severity: 'SEVERITY_HIGH',
    ruleDisplayName: '',
    message: 'Prototype pollution',
    ruleId: 'CVE-1',
    issueType: 'ISSUE_TYPE_SCA',
    filePath: 'package-lock.json',
    line: 0,
    repository: { name: 'acme/web' },
    createdAt: '2026-01-01T00:00:00.000Z',
    aggregateState: 'AGGREGATE_ISSUE_STATE_OPEN',
    triageState: 'FINDING_TRIAGE_STATE_REOPENED',
    confidence: 'CONFIDENCE_HIGH',
    isBlocking: false,
    scaAttributes: {
      reachability: 'REACHABILITY_UNREACHABLE',
      foundDependency: { package: 'lodash', version: '4.17.15' },
    },
  };
  const row = rowOf(issue);
  assert.deepEqual(
    [row.title, row.signal, row.state, placeOf(row)],
    ['lodash@4.17.15: Prototype pollution', 'Unreachable', 'reopened', 'package-lock.json'],
  );
});

test('ages are short', () => {
  const now = new Date('2026-11-15T12:00:00Z');
  const ages = ['2026-11-15T11:30:00Z', '2026-11-15T02:00:00Z', '2026-10-30T12:00:00Z', '2026-03-01T00:00:00Z'];
  assert.deepEqual(
    ages.map((at) => ageOf(at, now)),
    ['new', '10h', '16d', '8mo'],
  );
});
