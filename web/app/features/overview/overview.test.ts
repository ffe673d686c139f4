import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  backlogChart,
  bucketLinkTargets,
  changeChart,
  netChanges,
  overviewBucketSize,
  overviewRequest,
  signedNumber,
} from './overview.ts';

const now = new Date('2026-11-15T10:00:00Z');
const span = { start: '2026-11-02T00:00:00Z', end: '2026-11-09T00:00:00Z' };

test('the overview defaults to 90 days by week', () => {
  assert.deepEqual(overviewRequest({}, now), { since: '2026-08-17T00:00:00.000Z', bucket: 'BUCKET_WEEK' });
  assert.equal(overviewBucketSize({ since: '-365d' }, now), 'month');
  assert.equal(overviewRequest({ q: 'tag:web', bucket: 'day' }, now).bucket, 'BUCKET_DAY');
});

test('opened findings are above zero, fixed and ignored ones below, and the line is the difference', () => {
  const buckets = [{ ...span, opened: 5, fixed: 3, ignored: 4, q: { opened: 'o', fixed: 'f', ignored: 'i' } }];
  const { series, buckets: shown } = changeChart(buckets, 'week');
  assert.deepEqual(
    series.map(({ isBelow }) => isBelow ?? false),
    [false, true, true],
  );
  assert.deepEqual(shown[0]?.values, { opened: 5, fixed: 3, ignored: 4 });
  assert.deepEqual(netChanges(buckets), [-2]);
  assert.deepEqual(bucketLinkTargets(buckets)(0, 'fixed'), { q: 'f' });
  assert.deepEqual([signedNumber(3), signedNumber(-2), signedNumber(0)], ['+3', '−2', '0']);
});

test('the backlog has four severities, critical at the bottom', () => {
  const { series } = backlogChart(
    [{ ...span, critical: 1, high: 2, medium: 3, low: 4, q: { critical: '', high: '', medium: '', low: '' } }],
    'week',
  );
  assert.deepEqual(
    series.map(({ key }) => key),
    ['critical', 'high', 'medium', 'low'],
  );
});
