import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isWhitespace, splitAtStars, tokenize, unquote } from './tokenize.ts';

/** Text of the characters that the grammar treats specially. */
const tricky = fc.string({ unit: fc.constantFrom(...'a:,-"\\* >.<@\t\u00a0é'), maxLength: 60 });

test('spaces separate terms, commas values and the first colon the key', () => {
  const [first, second, third] = tokenize('-tag:a,b:c  "x y",z d');
  assert.equal(first?.isNot, true);
  assert.deepEqual(first?.key, { start: 1, end: 4, text: 'tag' });
  assert.deepEqual(
    first?.values.map(({ text }) => text),
    ['a', 'b:c'],
  );
  assert.equal(second?.key, undefined);
  assert.deepEqual(
    second?.values.map(({ text }) => text),
    ['"x y"', 'z'],
  );
  assert.deepEqual([third?.start, third?.end], [20, 21]);
});

test('quotes protect separators, also in the middle of a value, and an escaped quote does not close them', () => {
  const pieces = tokenize('path:src/"my dir, too"/* "say \\"hi\\" : , "');
  assert.deepEqual(
    pieces.map(({ values }) => values.map(({ text }) => unquote(text))),
    [['src/my dir, too/*'], ['say "hi" : , ']],
  );
  assert.equal(tokenize('"open')[0]?.isClosed, false);
});

test('a star is a wildcard unless escaped, and other backslashes are literal', () => {
  assert.deepEqual(splitAtStars('a*b\\*c'), ['a', 'b*c']);
  assert.deepEqual(splitAtStars('"a *"'), ['a ', '']);
  assert.deepEqual(splitAtStars('c:\\dir\\\\x\\'), ['c:\\dir\\x\\']);
});

test('terms are in order, with only whitespace between them', () => {
  fc.assert(
    fc.property(tricky, (text) => {
      let at = 0;
      for (const { start, end, text: own, values } of tokenize(text)) {
        assert.ok([...text.slice(at, start)].every(isWhitespace));
        assert.ok(end > start);
        assert.equal(own, text.slice(start, end));
        for (const value of values) assert.equal(value.text, text.slice(value.start, value.end));
        assert.equal(values.at(-1)?.end, end);
        at = end;
      }
      assert.ok([...text.slice(at)].every(isWhitespace));
    }),
  );
});

test('250,000 adversarial characters are tokenized in linear time', () => {
  for (const unit of ['"', '\\', '\\"', '-', ':', ',', '*', 'a:', '" ', 'a*', '-"', '\\*', 'a,', ' ', '"\\', 'a']) {
    const text = unit.repeat(250_000 / unit.length);
    const pieces = tokenize(text);
    const read = pieces.flatMap(({ values }) => values).reduce((sum, value) => sum + unquote(value.text).length, 0);
    assert.ok(read <= text.length, unit);
  }
});
