import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FOLLOW_DEFAULT_BRANCH, projectChangesOf } from './project-changes.ts';

const before = { name: 'acme/web', primaryRef: { ref: 'refs/heads/main', isOverride: true }, tags: ['a', 'b'] };
const same = { name: 'acme/web ', branch: 'refs/heads/main', tags: 'a, b,' };

test('an unchanged form sends no changes', () => {
  assert.deepEqual(projectChangesOf(before, same), {});
  assert.deepEqual(
    projectChangesOf({ ...before, primaryRef: undefined }, { ...same, branch: FOLLOW_DEFAULT_BRANCH }),
    {},
  );
});

test('only changed fields are sent', () => {
  assert.deepEqual(projectChangesOf(before, { ...same, name: 'acme/shop' }), { name: 'acme/shop' });
  assert.deepEqual(projectChangesOf(before, { ...same, branch: FOLLOW_DEFAULT_BRANCH }), {
    primaryBranch: FOLLOW_DEFAULT_BRANCH,
  });
  assert.deepEqual(projectChangesOf(before, { ...same, tags: 'b' }), {
    tagsChanges: [{ operation: 'SET_TAGS', tags: ['b'] }],
  });
});
