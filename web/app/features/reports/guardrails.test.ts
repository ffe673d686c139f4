import assert from 'node:assert/strict';
import { test } from 'node:test';
import { guardrailsBucketSize, guardrailsChart, guardrailsRequest } from './guardrails.ts';
import { guardrailsSearch } from './search.ts';

const now = new Date('2026-11-15T10:00:00Z');

test('the report defaults to the last 90 days by week', () => {
  assert.deepEqual(guardrailsRequest({}, now), { filters: { timePeriod: { since: '2026-08-17T00:00:00.000Z' } } });
  assert.equal(guardrailsBucketSize({}, now), 'week');
});

test('a relative time is kept as typed, and an invalid one is dropped', () => {
  assert.deepEqual(guardrailsSearch({ since: '-30d', until: 'soon', bucket: 'day' }), {
    ...{ since: '-30d', bucket: 'day' },
    until: undefined,
  });
});

test('requests within the same minute are equal', () => {
  const later = new Date(now.getTime() + 60_000);
  assert.deepEqual(guardrailsRequest({ since: '-30d' }, now), guardrailsRequest({ since: '-30d' }, later));
});

test('every number of a bucket is in the chart data', () => {
  const counts = { silenced: 1, open: 2, fixed: 3, ignored: 4, provisionallyIgnored: 5 };
  const timePeriod = { since: '2026-11-09T00:00:00Z', until: '2026-11-15T10:00:00Z' };
  const { buckets, series } = guardrailsChart(
    { buckets: [{ timePeriod, ...counts }], totalFixed: 3, totalOpened: 15 },
    'week',
  );
  assert.deepEqual(buckets[0]?.values, counts);
  assert.deepEqual(series.map(({ key }) => key).toSorted(), Object.keys(counts).toSorted());
  assert.equal(buckets[0]?.isPartial, true);
});
