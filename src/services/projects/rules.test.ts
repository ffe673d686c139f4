import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ORG_ROLES, permissionsOf } from '#domain/access/roles.ts';
import { duplicateErrors, projectChangeOf, scopesOf, tagsErrors } from './rules.ts';

test('more permissions never give fewer scopes', () => {
  const [admin, member, , reader] = ORG_ROLES.map((role) => new Set(scopesOf(permissionsOf(role))));
  assert.deepEqual([...(reader ?? [])], ['REPO_SCOPE_READ_FINDING']);
  assert.deepEqual([...(member ?? [])], ['REPO_SCOPE_READ_FINDING', 'REPO_SCOPE_TRIAGE_FINDING']);
  assert.equal(admin?.size, 6);
  assert.deepEqual(scopesOf(new Set()), []);
});

test('tags of a bulk change apply only with updateTags and replace the tags', () => {
  fc.assert(
    fc.property(fc.array(fc.string()), fc.option(fc.boolean(), { nil: undefined }), (tags, updateTags) => {
      const { tags: changes } = projectChangeOf({ tags, updateTags });
      assert.deepEqual(changes, updateTags === true ? [{ operation: 'SET_TAGS', tags }] : undefined);
    }),
  );
});

test('SET_TAGS must be alone; additions and removals can be combined', () => {
  const [set, add, remove] = (['SET_TAGS', 'ADD_TAGS', 'REMOVE_TAGS'] as const).map((operation) => ({
    operation,
    tags: ['a'],
  }));
  assert.ok(set && add && remove);
  for (const changes of [[], [set], [add, remove], [add, add]]) assert.deepEqual(tagsErrors(changes, '#'), []);
  for (const changes of [
    [set, add],
    [remove, set],
    [set, set],
  ])
    assert.equal(tagsErrors(changes, '#')[0]?.code, 'SET_TAGS_ALONE');
});

test('every duplicate repository gives an error with its position', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 4 }).map(String)), (ids) => {
      assert.equal(duplicateErrors(ids, '#/changes').length, ids.length - new Set(ids).size);
    }),
  );
  assert.equal(duplicateErrors(['1', '2', '1'], '#/changes')[0]?.pointer, '#/changes/2/repoId');
});
