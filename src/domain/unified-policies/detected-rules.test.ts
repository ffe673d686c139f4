import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { detectedRules } from './detected-rules.ts';
import type { StoredException } from './detection-store.ts';

const PACKS: Record<string, string[]> = { 'p/web': ['a', 'b'], 'p/all': ['a', 'b', 'c'] };
const packRules = (path: string) => PACKS[path] ?? [];

const exception = (text: string): StoredException => {
  const [effect = '', scope = '', path = ''] = text.split(' ');
  return {
    effect: effect === 'include' ? 'include' : 'exclude',
    kind: path.startsWith('p/') ? 'pack' : 'rule',
    path,
    target: scope,
    ...(scope === 'project' ? { projectId: '1' } : { tagId: '1' }),
  };
};

const running = (lists: { rulesets?: string[]; rules?: string[]; disabled?: string[] }, ...exceptions: string[]) =>
  [
    ...detectedRules(
      { rulesets: [], rules: [], disabled: [], ...lists, exceptions: exceptions.map(exception) },
      packRules,
    ),
  ].sort();

describe('the rules that a detection policy runs', () => {
  test('are those of its rulesets and its rules without the disabled ones', () =>
    assert.deepEqual(running({ rulesets: ['p/web'], rules: ['x', 'y'], disabled: ['b', 'y'] }), ['a', 'x']));

  const base = { rulesets: ['p/web'] };
  const cases: [string, Parameters<typeof running>[0], string[], string[]][] = [
    ['an inclusion adds a rule', base, ['include project c'], ['a', 'b', 'c']],
    ['an inclusion wins over disabled', { ...base, disabled: ['a'] }, ['include tag a'], ['a', 'b']],
    ['an exclusion removes a ruleset', base, ['exclude tag p/web'], []],
    ['exclude wins over include of the same rank', base, ['include tag c', 'exclude tag c'], ['a', 'b']],
    ['a rule wins over a pack', base, ['exclude project p/all', 'include project a'], ['a']],
    ['a project wins over a tag', base, ['exclude tag a', 'include project p/all'], ['a', 'b', 'c']],
    ['the pack of a project wins over the rule of a tag', base, ['include tag c', 'exclude project p/all'], []],
  ];
  for (const [name, lists, exceptions, expected] of cases)
    test(name, () => {
      assert.deepEqual(running(lists, ...exceptions), expected);
      assert.deepEqual(running(lists, ...[...exceptions].reverse()), expected);
    });
});
