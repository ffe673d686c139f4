import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  COLUMN_NAMES,
  columnsParam,
  DEFAULT_COLUMNS,
  exportColumns,
  gridTemplateOf,
  minWidthOf,
  parseColumns,
  visibleColumns,
} from './columns.ts';

test('columns survive the URL, and the default ones are left out', () => {
  assert.equal(columnsParam(DEFAULT_COLUMNS), undefined);
  assert.deepEqual(parseColumns('nonsense'), DEFAULT_COLUMNS);
  fc.assert(
    fc.property(fc.subarray(COLUMN_NAMES), (columns) => {
      assert.deepEqual(parseColumns(columnsParam(columns)), columns);
      assert.equal(gridTemplateOf(columns).split(' ').filter(Boolean).length >= columns.length + 2, true);
    }),
  );
});

test('an export starts with id and title, and has the columns of the list', () => {
  assert.deepEqual(exportColumns(['severity', 'location']), [
    'id',
    'title',
    'severity',
    'path',
    'line',
    'message',
    'url',
  ]);
});

test('narrow screens hide default columns, but not chosen ones', () => {
  assert.ok(!visibleColumns(DEFAULT_COLUMNS, 1200).includes('location'), 'it is below the title');
  assert.ok(visibleColumns(DEFAULT_COLUMNS, 1600).includes('location'));
  assert.ok(visibleColumns(parseColumns('location'), 1200).includes('location'));
  assert.ok(!visibleColumns(DEFAULT_COLUMNS, 900).includes('signal'));
  assert.ok(visibleColumns(parseColumns('signal'), 300).includes('signal'));
});

test('the minimum width of a row includes all columns and gaps', () => {
  assert.equal(minWidthOf('2rem 6rem minmax(9rem, 2fr) 2.75rem'), '23rem');
});
