import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ListItem } from './list-items.ts';
import { MAX_PRINTED_LINES, printCaption, printedIndexes } from './print-view.ts';

const rows = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ kind: 'row', id: String(index) }) as ListItem);
const more: ListItem = { kind: 'loading', id: 'loading' };
const list = { q: 'is:open', isTree: false };

test('all loaded rows are printed up to a limit', () => {
  assert.deepEqual(printedIndexes({ count: 3 }), [0, 1, 2]);
  assert.equal(printedIndexes({ count: 5000 }).length, MAX_PRINTED_LINES);
});

test('the print caption has the number of findings, the total and the filter', () => {
  assert.equal(printCaption(rows(17), { ...list, total: 17 }), '17 findings with is:open.');
  assert.equal(
    printCaption([...rows(100), more], { ...list, total: 2345 }),
    'The first 100 of 2,345 findings with is:open.',
  );
  assert.equal(printCaption(rows(1200), { ...list, total: 1200 }), 'The first 1,000 of 1,200 findings with is:open.');
});

test('without a total, or for groups, the print caption says that there are more', () => {
  const text = 'The first 100 findings with is:open; there are more.';
  assert.equal(printCaption([...rows(100), more], { ...list, total: undefined }), text);
  const group = { kind: 'group', id: 'group' } as ListItem;
  assert.equal(printCaption([group, ...rows(2)], { q: '', total: 9, isTree: true }), '1 group of findings.');
});
