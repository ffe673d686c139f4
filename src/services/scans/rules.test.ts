import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { listedSince, retryAdvice, scanQueryOf, textOrNull } from './rules.ts';

const now = new Date('2026-03-01T00:00:00Z');
const DAY_MS = 24 * 3600 * 1000;

test('a list goes back to the requested time, at most 30 days', () => {
  fc.assert(
    fc.property(fc.option(fc.integer({ min: -100, max: 100 }), { nil: undefined }), (days) => {
      const requested = days === undefined ? undefined : new Date(now.getTime() - days * DAY_MS);
      const since = listedSince(requested, now).getTime();
      assert.equal(since, now.getTime() - Math.min(30, days ?? 30) * DAY_MS);
    }),
  );
});

test('an empty filter and both types together are no condition', () => {
  const none = scanQueryOf({}, '1', now);
  assert.deepEqual(none, scanQueryOf(undefined, '1', now));
  assert.deepEqual(none, scanQueryOf({ branch: '', statuses: [], types: [], includeEnabledProducts: [] }, '1', now));
  assert.equal(scanQueryOf({ types: ['SCAN_TYPE_FULL', 'SCAN_TYPE_DIFF'] }, '1', now).isFull, undefined);
  assert.equal(scanQueryOf({ types: ['SCAN_TYPE_FULL', 'SCAN_TYPE_FULL'] }, '1', now).isFull, true);
  assert.equal(scanQueryOf({ types: ['SCAN_TYPE_DIFF'] }, '1', now).isFull, false);
});

test('products and statuses are mapped to stored values', () => {
  const { products, statuses } = scanQueryOf(
    { includeEnabledProducts: ['PRODUCT_AI_SAST'], statuses: ['SCAN_STATUS_NEVER_FINISHED'] },
    '1',
    now,
  );
  assert.deepEqual([products, statuses], [['ai_sast'], ['never_finished']]);
});

test('every scan that cannot be retried gets advice', () => {
  const sentences = [undefined, 'cli', 'import'].map(retryAdvice);
  assert.equal(new Set(sentences).size, 3);
  for (const sentence of sentences) assert.match(sentence, /^[A-Z].*\.$/);
});

test('metadata values are text or null', () => {
  assert.deepEqual(['x', 12, '', null, {}, undefined, true].map(textOrNull), ['x', '12', null, null, null, null, null]);
});
