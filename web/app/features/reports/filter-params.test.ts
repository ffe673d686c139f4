import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CHOICE_FILTER_NAMES, CHOICE_FILTERS } from './filter-definitions.ts';
import { apiFilters, findingsFilterOf, joinList, splitList } from './filter-params.ts';

const now = new Date('2026-11-15T10:00:00Z');
const bucket = { since: new Date('2026-11-02T00:00:00Z'), until: new Date('2026-11-09T00:00:00Z') };

test('a list of names survives the URL, whatever its characters', () => {
  const names = fc.uniqueArray(
    fc.string({ minLength: 1, maxLength: 20 }).filter((name) => name.trim() === name && name !== ''),
    { maxLength: 6 },
  );
  fc.assert(fc.property(names, (list) => assert.deepEqual(splitList(joinList(list)), list)));
});

test('unknown words are ignored, and known ones become values of the API', () => {
  assert.deepEqual(apiFilters({ types: 'code,nonsense,secret', projects: 'acme/web,acme\\,co' }), {
    findingTypes: ['FINDING_TYPE_CODE', 'FINDING_TYPE_SECRETS'],
    projects: ['acme/web', 'acme,co'],
  });
  assert.deepEqual(apiFilters({ types: 'nonsense' }), {});
});

test('the linked list has the bucket, the class and the filters of the report', () => {
  const counted = { texts: {}, until: undefined, now };
  assert.equal(
    findingsFilterOf(bucket, 'ignored', {
      ...counted,
      texts: { types: 'code', severities: 'high,low', projects: 'acme/web', teams: 'web', rules: 'a,b' },
    }),
    [
      'guardrail:ignored owner:@web project:acme/web raised:2026-11-02..2026-11-08',
      'raised-as:rule-a,rule-b raised-as:severity-high,severity-low raised-as:type-code',
    ].join(' '),
  );
  const running = { since: bucket.since, until: now };
  assert.equal(findingsFilterOf(running, undefined, counted), 'raised:>=2026-11-02');
  const before = { ...counted, until: new Date('2026-11-11T00:00:00Z') };
  assert.equal(
    findingsFilterOf(bucket, 'provisionallyIgnored', before),
    'as-of:2026-11-10 guardrail:provisional raised:2026-11-02..2026-11-08',
  );
  const rules = Array.from({ length: 300 }, (_, index) => `rule${index}`).join(',');
  assert.equal(findingsFilterOf(bucket, 'open', { ...counted, texts: { rules } }), undefined);
});

test('every choice of every filter is valid in the filter language', () => {
  for (const name of CHOICE_FILTER_NAMES)
    for (const { word } of CHOICE_FILTERS[name].choices)
      assert.match(
        findingsFilterOf(bucket, 'fixed', { texts: { [name]: word }, until: undefined, now }) ?? '',
        / raised-as:/,
      );
});
