import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { distance, nearest } from './nearest.ts';

const candidates = ['severity', 'seen', 'scanner', 'is', 'path'].map((word): [string, string] => [word, word]);

test('a slip of the fingers is one step', () => {
  assert.deepEqual(
    ['severity', 'sevrity', 'seveerity', 'sevErity', 'esverity'].map((word) => distance(word, 'severity')),
    [0, 1, 1, 1, 1],
  );
});

test('the distance is the same in both directions, and never more than the longer word', () => {
  const word = fc.string({ unit: fc.constantFrom(...'abc'), maxLength: 8 });
  fc.assert(
    fc.property(word, word, (one, other) => {
      assert.equal(distance(one, other), distance(other, one));
      assert.ok(distance(one, other) <= Math.max(one.length, other.length));
      assert.equal(distance(one, other) === 0, one === other);
    }),
  );
});

test('the nearest come first, a beginning is near, and what is far is not offered', () => {
  assert.deepEqual(nearest('Sevrity', candidates), ['severity']);
  assert.deepEqual(nearest('se', candidates), ['severity', 'seen']);
  assert.deepEqual(nearest('https', candidates), []);
  assert.deepEqual(nearest('x'.repeat(100_000), candidates), []);
});
