import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  applySettingsChange,
  hasTooManyTags,
  isManaged,
  MANAGED_TAG,
  MAX_TAGS_PER_PROJECT,
  type ProjectSettings,
  type ProjectSettingsChange,
  scmTypeOf,
  type TagsChange,
  tagsAfter,
} from './rules.ts';

const tag = fc.constantFrom('a', 'b', 'c', 'd', MANAGED_TAG);
const tags = fc.uniqueArray(tag).map((list) => list.sort());
const tagsChange: fc.Arbitrary<TagsChange> = fc.record({
  operation: fc.constantFrom('ADD_TAGS', 'REMOVE_TAGS', 'SET_TAGS'),
  tags: fc.array(tag),
});
const settings: fc.Arbitrary<ProjectSettings> = fc.record({
  name: fc.string(),
  tags,
  primaryBranch: fc.option(fc.string(), { nil: undefined }),
  hasDiffScan: fc.boolean(),
  hasFullScan: fc.boolean(),
  hasAiFullScan: fc.boolean(),
});
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
const change: fc.Arbitrary<ProjectSettingsChange> = fc.record({
  tags: maybe(fc.array(tagsChange, { maxLength: 3 })),
  primaryBranch: maybe(fc.option(fc.string())),
  hasDiffScan: maybe(fc.boolean()),
  hasFullScan: maybe(fc.boolean()),
  hasAiFullScan: maybe(fc.boolean()),
});

test('the URL of a project determines its SCM, if the host is known', () => {
  assert.equal(scmTypeOf('https://github.com/acme/shop'), 'SCM_TYPE_GITHUB');
  assert.equal(scmTypeOf('https://WWW.GitLab.com/acme'), 'SCM_TYPE_GITLAB');
  for (const url of ['', 'https://github.com.evil.example/', 'https://github.com@evil.example/', 'ssh://x'])
    assert.equal(scmTypeOf(url), 'SCM_TYPE_UNKNOWN', url);
  assert.equal(scmTypeOf('https://toString/x'), 'SCM_TYPE_UNKNOWN');
});

test('SET_TAGS leaves exactly its own tags, ADD_TAGS all of its own, REMOVE_TAGS none', () => {
  fc.assert(
    fc.property(tags, tagsChange, (before, { operation, tags: named }) => {
      const after = tagsAfter(before, [{ operation, tags: named }]);
      if (operation === 'SET_TAGS') assert.deepEqual(after, [...new Set(named)].sort());
      if (operation === 'ADD_TAGS') assert.deepEqual(after, [...new Set([...before, ...named])].sort());
      if (operation === 'REMOVE_TAGS')
        assert.deepEqual(
          after,
          before.filter((one) => !named.includes(one)),
        );
    }),
  );
});

test('applying a change twice is the same as once', () => {
  fc.assert(
    fc.property(settings, change, (before, wanted) => {
      const once = applySettingsChange(before, wanted);
      assert.deepEqual(applySettingsChange(once, wanted), { ...once, tags: tagsAfter(once.tags, wanted.tags ?? []) });
    }),
  );
});

test('a change leaves absent members unchanged', () => {
  fc.assert(
    fc.property(settings, (before) => {
      assert.deepEqual(applySettingsChange({ ...before, name: before.name.trim() }, {}), {
        ...before,
        name: before.name.trim(),
      });
    }),
  );
});

test('the tag of managed scans is added and removed with them, and users can change it otherwise', () => {
  fc.assert(
    fc.property(settings, change, (before, wanted) => {
      const after = applySettingsChange(before, wanted);
      if (isManaged(before) !== isManaged(after)) assert.equal(after.tags.includes(MANAGED_TAG), isManaged(after));
      else assert.deepEqual(after.tags, tagsAfter(before.tags, wanted.tags ?? []));
    }),
  );
});

test('a project gets at most ten tags, and a project with more keeps them', () => {
  const of = (count: number): ProjectSettings => ({
    ...applySettingsChange({ name: '', tags: [], hasDiffScan: false, hasFullScan: false, hasAiFullScan: false }, {}),
    tags: Array.from({ length: count }, (_, index) => `t${index}`),
  });
  assert.equal(hasTooManyTags(of(0), of(MAX_TAGS_PER_PROJECT)), false);
  assert.equal(hasTooManyTags(of(MAX_TAGS_PER_PROJECT), of(MAX_TAGS_PER_PROJECT + 1)), true);
  assert.equal(hasTooManyTags(of(MAX_TAGS_PER_PROJECT + 3), of(MAX_TAGS_PER_PROJECT + 2)), false);
});
