import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FindingRow } from '../model/finding-row.ts';
import { groupItems, rowItems } from './list-items.ts';

const sourceOf = <Line>(lines: readonly Line[], more: { hasMore?: boolean; error?: unknown } = {}) => ({
  lines,
  isLoading: false,
  isStale: false,
  error: undefined,
  hasMore: false,
  more: () => {},
  retry: () => {},
  ...more,
});

test('findings of the open group follow it, with a placeholder for more', () => {
  const group = { label: '', q: '', count: 2, severities: {}, newestAt: '' };
  const groups = sourceOf([
    { ...group, key: 'one' },
    { ...group, key: 'two' },
  ]);
  const items = groupItems(groups, 'one', sourceOf([{ id: '1' } as FindingRow], { hasMore: true }));
  assert.deepEqual(
    items.map(({ kind, id }) => [kind, id]),
    [
      ['group', 'group one'],
      ['row', '1'],
      ['loading', 'loading rows 2'],
      ['group', 'group two'],
    ],
  );
  assert.equal(rowItems(sourceOf([], { error: new Error('no') }))[0]?.kind, 'failed');
});
