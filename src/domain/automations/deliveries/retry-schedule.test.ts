import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_DELIVERY_ATTEMPTS, pauseMs, retryAfterMs, retryDelayMs } from './retry-schedule.ts';

const HOUR_MS = 3_600_000;
const delays = (random: number) =>
  Array.from({ length: MAX_DELIVERY_ATTEMPTS }, (_, failed) => retryDelayMs(failed + 1, { random: () => random }));

test('attempts are spread over about 75 hours, and then there is none (WHK-03)', () => {
  const exact = delays(0.5);
  assert.equal(exact.at(-1), undefined);
  assert.deepEqual(exact.slice(0, -1), [
    5_000,
    300_000,
    1_800_000,
    ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR_MS),
  ]);
  const total = exact.slice(0, -1).reduce((sum: number, delay) => sum + (delay ?? 0), 0);
  assert.ok(Math.abs(total / HOUR_MS - 75.6) < 0.1);
});

test('delays vary by ten percent (WHK-03)', () => {
  for (const [index, delay] of delays(0).entries())
    if (delay !== undefined) assert.ok(Math.abs(delay / (delays(0.5)[index] ?? 1) - 0.9) < 1e-9);
});

test('a receiver that asks for more time gets it, up to a day', () => {
  assert.equal(retryDelayMs(1, { retryAfterMs: 60_000, random: () => 0.5 }), 60_000);
  assert.equal(retryDelayMs(1, { retryAfterMs: 1000 * HOUR_MS, random: () => 0.5 }), 24 * HOUR_MS);
  assert.equal(retryDelayMs(4, { retryAfterMs: 60_000, random: () => 0.5 }), 2 * HOUR_MS);
});

test('Retry-After is read as seconds and as a date, and anything else is ignored', () => {
  const now = new Date('2026-11-16T12:00:00Z');
  assert.equal(retryAfterMs('120', now), 120_000);
  assert.equal(retryAfterMs('Mon, 16 Nov 2026 12:01:00 GMT', now), 60_000);
  assert.equal(retryAfterMs('Mon, 16 Nov 2026 11:00:00 GMT', now), 0);
  assert.equal(retryAfterMs('soon', now), undefined);
  assert.equal(retryAfterMs(undefined, now), undefined);
});

test('a destination pauses after four failures in a row, at most for an hour', () => {
  assert.deepEqual(
    [1, 2, 3].map((failures) => pauseMs(failures)),
    [0, 0, 0],
  );
  assert.deepEqual(
    [4, 5, 6].map((failures) => pauseMs(failures)),
    [60_000, 120_000, 240_000],
  );
  assert.equal(pauseMs(1000), HOUR_MS);
  assert.equal(pauseMs(1, 30_000), 30_000);
});
