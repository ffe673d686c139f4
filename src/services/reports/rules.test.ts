import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { MAX_REPORT_BUCKETS } from './contract.ts';
import {
  bucketPeriods,
  bucketSizeOf,
  periodRefusal,
  reportAsOf,
  reportPeriodOf,
  type TimeBucketSize,
} from './rules.ts';

const DAY_MS = 24 * 3600 * 1000;
const at = (text: string) => new Date(text);
const time = fc.date({ min: at('2020-01-01T00:00:00Z'), max: at('2029-12-31T00:00:00Z'), noInvalidDate: true });
const size = fc.constantFrom<TimeBucketSize>('TIME_BUCKET_SIZE_DAY', 'TIME_BUCKET_SIZE_WEEK', 'TIME_BUCKET_SIZE_MONTH');
const period = fc
  .tuple(time, fc.integer({ min: 1, max: 400 * DAY_MS }))
  .map(([since, length]) => ({ since, until: new Date(since.getTime() + length) }));

test('buckets are contiguous, half-open, ordered and cover the period', () => {
  fc.assert(
    fc.property(period, size, (whole, bucketSize) => {
      const found = bucketPeriods(whole, bucketSize);
      assert.deepEqual(found[0]?.since, whole.since);
      assert.deepEqual(found.at(-1)?.until, whole.until);
      for (const [index, piece] of found.entries()) {
        assert.ok(piece.since < piece.until);
        if (index > 0) assert.deepEqual(piece.since, found[index - 1]?.until);
        if (index > 0) assert.equal(piece.since.getTime() % DAY_MS, 0);
        if (index > 0 && bucketSize === 'TIME_BUCKET_SIZE_WEEK') assert.equal(piece.since.getUTCDay(), 1);
        if (index > 0 && bucketSize === 'TIME_BUCKET_SIZE_MONTH') assert.equal(piece.since.getUTCDate(), 1);
      }
    }),
  );
});

test('splitting a period at a bucket boundary gives the same buckets', () => {
  fc.assert(
    fc.property(period, size, fc.nat(), (whole, bucketSize, choice) => {
      const all = bucketPeriods(whole, bucketSize);
      const edge = all[choice % all.length]?.until ?? whole.until;
      const rest = edge < whole.until ? bucketPeriods({ since: edge, until: whole.until }, bucketSize) : [];
      assert.deepEqual([...bucketPeriods({ since: whole.since, until: edge }, bucketSize), ...rest], all);
    }),
  );
});

test('the bucket size depends on the length: days up to 31, weeks up to 182, then months', () => {
  const since = at('2026-01-01T00:00:00Z');
  const sizeAfter = (days: number) => bucketSizeOf({ since, until: new Date(since.getTime() + days * DAY_MS) });
  assert.deepEqual(
    [31, 31.01, 182, 182.01].map(sizeAfter),
    ['DAY', 'WEEK', 'WEEK', 'MONTH'].map((word) => `TIME_BUCKET_SIZE_${word}`),
  );
});

test('a period is refused if it is empty, longer than 2 years or has more than 400 buckets (LIM-05)', () => {
  const refusal = (since: string, until: string, bucketSize: TimeBucketSize = 'TIME_BUCKET_SIZE_MONTH') =>
    periodRefusal({ since: at(since), until: at(until) }, bucketSize);
  assert.equal(refusal('2024-01-01T00:00:00Z', '2026-01-01T00:00:00Z'), undefined);
  assert.ok(refusal('2024-01-01T00:00:00Z', '2026-01-01T00:00:00.001Z'));
  assert.ok(refusal('2024-01-01T00:00:00Z', '2024-01-01T00:00:00Z'));
  assert.ok(refusal('2024-01-02T00:00:00Z', '2024-01-01T00:00:00Z'));
  const days = (count: number) => new Date(Date.UTC(2024, 0, 1 + count)).toISOString();
  assert.equal(refusal(days(0), days(MAX_REPORT_BUCKETS), 'TIME_BUCKET_SIZE_DAY'), undefined);
  assert.ok(refusal(days(0), days(MAX_REPORT_BUCKETS + 1), 'TIME_BUCKET_SIZE_DAY'));
});

test('a period without a start begins in 1970 at the earliest and is refused if it is empty', () => {
  const until = at('1970-02-01T00:00:00Z');
  assert.deepEqual(reportPeriodOf({ timePeriod: { until } }, at('2026-05-05T10:00:00Z')), {
    since: new Date(0),
    until,
  });
  const none = reportPeriodOf({ timePeriod: { until: new Date(0) } }, at('2026-05-05T10:00:00Z'));
  assert.ok(periodRefusal(none, 'TIME_BUCKET_SIZE_DAY'));
});

test('the default is the last 90 days, and the as-of time is never in the future', () => {
  const now = at('2026-05-05T10:00:00Z');
  const usual = reportPeriodOf({}, now);
  assert.equal(usual.until.getTime() - usual.since.getTime(), 90 * DAY_MS);
  assert.deepEqual(reportAsOf({ since: now, until: at('2027-01-01T00:00:00Z') }, now), now);
  assert.deepEqual(reportAsOf({ since: now, until: at('2026-02-01T00:00:00Z') }, now), at('2026-02-01T00:00:00Z'));
});
