import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FindingRow } from '../model/finding-row.ts';
import { bulkPreviewOf } from './bulk-preview.ts';

const rowWith = (id: string, more: Partial<FindingRow> = {}): FindingRow => ({
  id,
  severity: 'SEVERITY_LOW',
  title: `Title ${id}`,
  rule: 'rule',
  type: 'ISSUE_TYPE_SAST',
  path: 'src/a.ts',
  line: 1,
  project: 'acme/web',
  firstSeenAt: '2026-01-01T00:00:00.000Z',
  at: '2026-01-01T00:00:00.000Z',
  state: 'open',
  signal: '',
  isBlocking: false,
  ...more,
});

test('the bulk preview counts by project and lists the most severe first', () => {
  const rows = [rowWith('1'), rowWith('2', { project: 'acme/api' }), rowWith('3', { severity: 'SEVERITY_CRITICAL' })];
  const { count, workflows, elsewhere, projects, worst } = bulkPreviewOf(rows);
  assert.deepEqual([count, workflows, elsewhere], [3, 0, 0]);
  assert.deepEqual(projects, [
    { name: 'acme/web', count: 2 },
    { name: 'acme/api', count: 1 },
  ]);
  assert.deepEqual(
    worst.map(({ id }) => id),
    ['3', '1', '2'],
  );
});

test('the bulk preview counts workflow issues and findings of projects that are not listed', () => {
  const rows = ['1', 'WF-1', '3', '4', '5', 'WF-2'].map((id, index) => rowWith(id, { project: `acme/${index}` }));
  const { workflows, elsewhere, projects } = bulkPreviewOf(rows);
  assert.deepEqual([workflows, elsewhere, projects.length], [2, 1, 5]);
});
