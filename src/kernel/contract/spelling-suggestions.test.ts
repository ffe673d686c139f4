import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { editDistance, suggestSpellings } from './spelling-suggestions.ts';

const candidates = ['severity', 'seen', 'scanner', 'is', 'path'].map((word): [string, string] => [word, word]);

test('a typing error has distance one', () => {
  assert.deepEqual(
    ['severity', 'sevrity', 'seveerity', 'sevErity', 'esverity'].map((word) => editDistance(word, 'severity')),
    [0, 1, 1, 1, 1],
  );
});

test('the distance is symmetric and at most the length of the longer word', () => {
  const word = fc.string({ unit: fc.constantFrom(...'abc'), maxLength: 8 });
  fc.assert(
    fc.property(word, word, (one, other) => {
      assert.equal(editDistance(one, other), editDistance(other, one));
      assert.ok(editDistance(one, other) <= Math.max(one.length, other.length));
      assert.equal(editDistance(one, other) === 0, one === other);
    }),
  );
});

test('the closest come first, prefixes are close, and distant words are omitted', () => {
  assert.deepEqual(suggestSpellings('Sevrity', candidates), ['severity']);
  assert.deepEqual(suggestSpellings('se', candidates), ['severity', 'seen']);
  assert.deepEqual(suggestSpellings('https', candidates), []);
  assert.deepEqual(suggestSpellings('x'.repeat(100_000), candidates), []);
});
