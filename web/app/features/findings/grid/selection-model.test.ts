import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SelectionModel } from './selection-model.ts';

const ORDER = ['a', 'b', 'c', 'd'];
const listOf = (order = ORDER) => {
  const list = new SelectionModel();
  list.setOrder(order);
  return list;
};

test('the cursor stops at both ends, and starts at the end that it moves from', () => {
  const list = listOf();
  assert.equal(list.move(1), 0);
  assert.equal(list.move(-1), 0);
  assert.equal(list.move(10), 3);
  assert.equal(listOf().move(-1), 3);
  assert.equal(listOf([]).move(1), -1);
});

test('moving the cursor notifies the two rows that change only', () => {
  const list = listOf();
  const notified: string[] = [];
  for (const id of ORDER) list.subscribeTo(id, () => notified.push(id));
  list.activate('a');
  notified.length = 0;
  list.move(1);
  assert.deepEqual(notified, ['a', 'b']);
});

test('a range extends from the last toggled row to the cursor in either direction', () => {
  const list = listOf();
  list.toggle('c');
  list.selectUpTo('a', (id) => id !== 'b');
  assert.deepEqual([...list.selection.ids].sort(), ['a', 'c']);
});

test('selecting the page twice selects all matches; toggling a row ends that', () => {
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
