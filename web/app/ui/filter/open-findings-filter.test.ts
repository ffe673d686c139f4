import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseFilter } from '#domain/query/parse-filter.ts';
import { openFindingsFilter, splitByFilterLimit } from './open-findings-filter.ts';

test('the filter matches a project by its exact name, whatever its characters', () => {
  assert.equal(openFindingsFilter('acme/web'), 'is:open project:acme/web');
  fc.assert(
    fc.property(fc.stringMatching(/^[\w"\\* ,/-]{0,20}\w$/), (name) => {
      const { query, problems } = parseFilter(openFindingsFilter(name));
      assert.deepEqual(problems, []);
      const [value] = query.terms.find(({ key }) => key === 'project')?.values ?? [];
      assert.deepEqual(value, { kind: 'exact', value: name });
    }),
  );
});

test('every project is in one filter, and no filter exceeds the limits', () => {
  const names = Array.from({ length: 250 }, (_, index) => `acme/${'x'.repeat(index % 60)}${index}`);
  const groups = splitByFilterLimit(names);
  assert.deepEqual(groups.flat(), names);
  for (const group of groups) assert.deepEqual(parseFilter(openFindingsFilter(...group)).problems, []);
  assert.deepEqual(splitByFilterLimit(names.slice(0, 40))[0], groups[0]?.slice(0, 40));
  assert.deepEqual(splitByFilterLimit([]), []);
});
