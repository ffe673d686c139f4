import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bucketLabel, bucketTitle, defaultBucketSize, isPartialBucket, parseTime } from './time-buckets.ts';

const at = (text: string) => new Date(text);
const now = at('2026-11-15T10:20:30Z');

test('relative times are whole days before now, and dates are UTC', () => {
  assert.equal(parseTime('-90d', now)?.toISOString(), '2026-08-17T00:00:00.000Z');
  assert.equal(parseTime('-2w', now)?.toISOString(), '2026-11-01T00:00:00.000Z');
  assert.equal(parseTime('2026-08-01', now)?.toISOString(), '2026-08-01T00:00:00.000Z');
  for (const text of ['', 'yesterday', '90d', '2026-13-01', '-5x', undefined])
    assert.equal(parseTime(text, now), undefined, text);
});

test('a bucket that is cut off is partial', () => {
  assert.equal(isPartialBucket(at('2026-11-09'), at('2026-11-16'), 'week'), false);
  assert.equal(isPartialBucket(at('2026-11-09'), now, 'week'), true);
  assert.equal(isPartialBucket(at('2026-11-10'), at('2026-11-16'), 'week'), true);
  assert.equal(isPartialBucket(at('2026-11-01'), at('2026-12-01'), 'month'), false);
  assert.equal(isPartialBucket(at('2026-11-14'), at('2026-11-15'), 'day'), false);
});

test('buckets have short and full labels', () => {
  assert.equal(bucketLabel(at('2026-11-09'), 'week'), '9 Nov');
  assert.equal(bucketLabel(at('2026-11-01'), 'month'), 'Nov 2026');
  assert.equal(bucketTitle(at('2026-11-09'), at('2026-11-16'), 'week'), '9 Nov to 15 Nov 2026');
  assert.equal(bucketTitle(at('2026-11-15'), now, 'day'), '15 Nov 2026 (partial)');
});

test('the bucket size depends on the length of the period', () => {
  assert.equal(defaultBucketSize(at('2026-11-01'), now), 'day');
  assert.equal(defaultBucketSize(at('2026-09-01'), now), 'week');
  assert.equal(defaultBucketSize(at('2025-09-01'), now), 'month');
});
