import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toCsv } from './chart-csv.ts';

test('UPL-10: CSV cells are never interpreted as formulas, and quotes are doubled', () => {
  assert.equal(toCsv([['=1+1', '-2', -2, 'a"b', 'a,b']]), `'=1+1,'-2,-2,"a""b","a,b"\r\n`);
});
