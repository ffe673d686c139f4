import assert from 'node:assert/strict';
import { test } from 'node:test';
import { moveByKey } from './arrow-keys.ts';

test('arrow keys move along the time axis and the stack, and stop at the ends', () => {
  const size = { buckets: 3, series: 2 };
  assert.deepEqual(moveByKey('ArrowRight', { bucket: 0, series: 0 }, size), { bucket: 1, series: 0 });
  assert.deepEqual(moveByKey('ArrowLeft', { bucket: 0, series: 0 }, size), { bucket: 0, series: 0 });
  assert.deepEqual(moveByKey('ArrowUp', { bucket: 0, series: 1 }, size), { bucket: 0, series: 1 });
  assert.deepEqual(moveByKey('End', { bucket: 0, series: 1 }, size), { bucket: 2, series: 1 });
  assert.equal(moveByKey('Tab', { bucket: 0, series: 0 }, size), undefined);
});
