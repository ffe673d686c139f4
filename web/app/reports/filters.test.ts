import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parse } from '#domain/query/parse.ts';
import { CLOSED, CLOSED_NAMES } from './filter-table.ts';
import { apiFilters, listOf, listText, nearestQuery } from './filters.ts';

const now = new Date('2026-11-15T10:00:00Z');
const bucket = { since: new Date('2026-11-02T00:00:00Z'), until: new Date('2026-11-09T00:00:00Z') };

test('a list of names survives the address, whatever is in the names', () => {
  const names = fc.uniqueArray(
    fc.string({ minLength: 1, maxLength: 20 }).filter((name) => name.trim() === name && name !== ''),
    { maxLength: 6 },
  );
  fc.assert(fc.property(names, (list) => assert.deepEqual(listOf(listText(list)), list)));
});

test('words that mean nothing are left out, and the others become those of the API', () => {
  assert.deepEqual(apiFilters({ types: 'code,nonsense,secret', projects: 'acme/web,acme\\,co' }), {
    findingTypes: ['FINDING_TYPE_CODE', 'FINDING_TYPE_SECRETS'],
    projects: ['acme/web', 'acme,co'],
  });
  assert.deepEqual(apiFilters({ types: 'nonsense' }), {});
});

test('the list behind a bar is about its bucket, its state and the filters of the report', () => {
  const q = nearestQuery(bucket, 'ignored', { texts: { types: 'code', projects: 'acme/web' }, now });
  assert.equal(
    q,
    [
      'age:154h..322h branch:refs/merge-requests/*,refs/pull-requests/*,refs/pull/*',
      'is:ignored mode:block,comment project:acme/web type:code',
    ].join(' '),
  );
  assert.doesNotMatch(nearestQuery(bucket, 'silenced', { texts: {}, now }), /is:/);
  const running = { since: bucket.since, until: new Date('2026-11-16T00:00:00Z') };
  assert.match(nearestQuery(running, 'open', { texts: {}, now }), /age:<322h .*is:open,reviewing,to-fix/);
});

test('every word of every filter is understood by the filter bar', () => {
  for (const name of CLOSED_NAMES)
    for (const { word } of CLOSED[name].choices) {
      const { problems } = parse(nearestQuery(bucket, 'fixed', { texts: { [name]: word }, now }));
      assert.deepEqual(problems, [], `${name} ${word}`);
    }
});
