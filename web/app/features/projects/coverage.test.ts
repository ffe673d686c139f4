import assert from 'node:assert/strict';
import { test } from 'node:test';
import { coverageOf } from './coverage.ts';

const now = new Date('2026-11-15T00:00:00Z');

test('a project is stale after 30 days, and failing when its latest scan failed', () => {
  assert.equal(coverageOf(undefined, now), 'never');
  assert.equal(coverageOf({ startedAt: '2026-11-14T00:00:00Z', status: 'SCAN_STATUS_COMPLETED' }, now), 'covered');
  assert.equal(coverageOf({ startedAt: '2026-10-01T00:00:00Z', status: 'SCAN_STATUS_COMPLETED' }, now), 'stale');
  assert.equal(coverageOf({ startedAt: '2026-11-14T00:00:00Z', status: 'SCAN_STATUS_ERROR' }, now), 'failing');
});
