import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatBytes, formatDuration, healthWarnings } from './system-health.ts';

test('sizes and durations use the largest suitable unit', () => {
  assert.deepEqual([0, 1023, 1536, 200 * 1024 ** 2, 3 * 1024 ** 4].map(formatBytes), [
    '0 bytes',
    '1023 bytes',
    '1.5 KiB',
    '200 MiB',
    '3.0 TiB',
  ]);
  assert.deepEqual([1, 90, 600, 7200, 259_200].map(formatDuration), [
    '1 second',
    '90 seconds',
    '10 minutes',
    '2 hours',
    '3 days',
  ]);
});

test('a healthy server has no warnings, and each problem has one', () => {
  const jobs = { dead: 0, waiting: 0, oldestWaitingSeconds: 0 };
  assert.deepEqual(healthWarnings({ migrations: { pending: 0 }, jobs, disk: { freeBytes: 50, totalBytes: 100 } }), []);
  assert.deepEqual(healthWarnings({ migrations: { pending: 0 }, jobs }), []);
  const worries = healthWarnings({
    migrations: { pending: 1 },
    jobs: { dead: 2, waiting: 1, oldestWaitingSeconds: 600 },
    disk: { freeBytes: 9, totalBytes: 100 },
  });
  assert.equal(worries.length, 4);
});
