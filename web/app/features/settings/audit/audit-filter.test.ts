import assert from 'node:assert/strict';
import { test } from 'node:test';
import { auditQueryParams, operationLabel, toNdjson } from './audit-filter.ts';

test('days become times, and the last day is inclusive', () => {
  const { since, until } = auditQueryParams({ since: '2026-03-30', until: '2026-03-31' });
  assert.equal(since, new Date(2026, 2, 30).toISOString());
  assert.equal(until, new Date(2026, 3, 1).toISOString());
});

test('empty fields are omitted, and times stay unchanged', () => {
  assert.deepEqual(auditQueryParams({ actor: '', outcome: undefined, since: '2026-01-01T00:00:00Z' }), {
    since: '2026-01-01T00:00:00Z',
  });
});

test('an export has one record per line', () => {
  const text = toNdjson([{ name: 'two\nlines' }, { name: 'é' }]);
  assert.deepEqual(
    text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
    [{ name: 'two\nlines' }, { name: 'é' }],
  );
  assert.equal(toNdjson([]), '');
});

test('operation names are readable', () => {
  assert.equal(operationLabel('TeamsService.updateDeploymentTeam'), 'update deployment team');
});
