import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { backoffMs } from './backoff.ts';

const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

test('JOB-03: a delay is at least half a second and at most an hour, for every attempt', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1000 }), random, (attempt, value) => {
      const waitMs = backoffMs(attempt, () => value);
      assert.ok(Number.isInteger(waitMs) && waitMs >= 500 && waitMs <= 3_600_000);
    }),
  );
});

test('JOB-03: up to one hour, the minimum delay equals the maximum of the previous attempt', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 11 }), random, (attempt, value) => {
      assert.ok(backoffMs(attempt + 1, () => 0) >= backoffMs(attempt, () => value));
    }),
  );
});

test('JOB-03: 25 attempts span between six hours and a day', () => {
  const spanMs = (value: number) =>
    Array.from({ length: 24 }, (_, index) => backoffMs(index + 1, () => value)).reduce((sum, waitMs) => sum + waitMs);
  assert.ok(spanMs(0) > 6 * 3_600_000);
  assert.ok(spanMs(0.999) < 24 * 3_600_000);
});
