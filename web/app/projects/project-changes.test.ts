import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changesOf, FOLLOW } from './project-changes.ts';

const before = { name: 'acme/web', primaryRef: { ref: 'refs/heads/main', isOverride: true }, tags: ['a', 'b'] };
const same = { name: 'acme/web ', branch: 'refs/heads/main', tags: 'a, b,' };

test('a form that was not changed changes nothing', () => {
  assert.deepEqual(changesOf(before, same), {});
  assert.deepEqual(changesOf({ ...before, primaryRef: undefined }, { ...same, branch: FOLLOW }), {});
});

test('only what was changed in the form is sent', () => {
  assert.deepEqual(changesOf(before, { ...same, name: 'acme/shop' }), { name: 'acme/shop' });
  assert.deepEqual(changesOf(before, { ...same, branch: FOLLOW }), { primaryBranch: FOLLOW });
  assert.deepEqual(changesOf(before, { ...same, tags: 'b' }), {
    tagsChanges: [{ operation: 'SET_TAGS', tags: ['b'] }],
  });
});
