import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { JsonParseError } from '#kernel/http/json/json-error.ts';
import { parseJson } from '#kernel/http/json/parse-json.ts';

const hex = (code: number) => `\\u${code.toString(16).padStart(4, '0')}`;

/** The same text with some characters written as escapes. */
const spelled = fc
  .array(
    fc.tuple(fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }), fc.constantFrom('plain', 'lower', 'upper')),
  )
  .map((units) => {
    const text = units.map(([unit]) => unit).join('');
    const literals = units.map(([unit, spelling]) => {
      if (spelling === 'plain') return JSON.stringify(unit).slice(1, -1);
      const escaped = unit.split('').map((half) => hex(half.charCodeAt(0)));
      return spelling === 'lower' ? escaped.join('') : escaped.join('').toUpperCase().replaceAll('\\U', '\\u');
    });
    return { text, literal: `"${literals.join('')}"` };
  });

test('INP-04 every string is parsed correctly, however its characters are escaped', () => {
  fc.assert(
    fc.property(spelled, ({ text, literal }) => {
      if (text.includes('\0')) assert.throws(() => parseJson(literal), JsonParseError);
      else {
        assert.equal(parseJson(literal), text);
        assert.deepEqual(parseJson(`{"name":[${literal}]}`), { name: [text] });
      }
    }),
    { numRuns: 2_000 },
  );
});

test('INP-04 each of the 2,048 surrogates is refused alone, in a value and in a name', () => {
  for (let code = 0xd800; code <= 0xdfff; code += 1) {
    for (const literal of [`"${hex(code)}"`, `"a${hex(code)}b"`, `"${hex(code)}${hex(0xd800)}"`]) {
      assert.throws(() => parseJson(literal), /half of a surrogate pair/);
      assert.throws(() => parseJson(`{${literal}:1}`), /half of a surrogate pair/);
    }
  }
});

test('INP-04 an escaped surrogate pair is one character and a reversed one is refused', () => {
  assert.equal(parseJson('"\\ud83d\\ude00"'), '😀');
  assert.equal(parseJson('"\\uDBFF\\uDFFF"'), '\u{10ffff}');
  assert.throws(() => parseJson('"\\ude00\\ud83d"'), JsonParseError);
});

test('INP-04 NUL is refused in a value and in a name', () => {
  for (const body of ['"\\u0000"', '"a\\u0000b"', '{"\\u0000":1}', '{"a\\u0000":1}', '["\\ud83d\\ude00\\u0000"]']) {
    assert.throws(() => parseJson(body), /must not contain the NUL character/);
  }
  assert.equal(parseJson('"\\\\u0000"'), '\\u0000');
});

test('INP-04 each control character is refused raw and accepted escaped, except NUL', () => {
  for (let code = 0; code < 0x20; code += 1) {
    assert.throws(() => parseJson(`"${String.fromCharCode(code)}"`), /must be escaped/);
    assert.throws(() => parseJson(`"\\n${String.fromCharCode(code)}"`), /must be escaped/);
    if (code > 0) assert.equal(parseJson(`"${hex(code)}"`), String.fromCharCode(code));
  }
  assert.equal(parseJson('"\u007f\u2028\u2029\u200b\u202e"'), '\u007f\u2028\u2029\u200b\u202e');
});

test('the short escapes are those of RFC 8259, and no others', () => {
  assert.equal(parseJson('"\\"\\\\\\/\\b\\f\\n\\r\\t"'), '"\\/\b\f\n\r\t');
  for (let code = 0x20; code < 0x7f; code += 1) {
    const letter = String.fromCharCode(code);
    if (!'"\\/bfnrtu'.includes(letter)) assert.throws(() => parseJson(`"\\${letter}"`), /does not make an escape/);
  }
});

test('INP-02 the length of a string counts its decoded UTF-8 bytes', () => {
  assert.equal(parseJson('"\\u0061\\u0061"', { stringBytes: 2 }), 'aa');
  assert.equal(parseJson('"\\u20ac"', { stringBytes: 3 }), '€');
  assert.throws(() => parseJson('"\\u20ac"', { stringBytes: 2 }), { isTooLarge: true });
  assert.throws(() => parseJson('"😀"', { stringBytes: 3 }), { isTooLarge: true });
});
