import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { JsonParseError } from '#kernel/http/json/json-error.ts';
import { parseJson } from '#kernel/http/json/parse-json.ts';

test('INP-05 every int64 is parsed exactly: as a number if a double can represent it, otherwise as a bigint', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (id) => {
      const value = parseJson(String(id));
      assert.equal(BigInt(value as number | bigint), id);
      assert.equal(typeof value, Number.isSafeInteger(Number(id)) ? 'number' : 'bigint');
    }),
    { numRuns: 2_000 },
  );
});

test('INP-05 the type changes exactly at the limits of the safe integers', () => {
  const cases: [string, number | bigint][] = [
    ['9007199254740991', 9007199254740991],
    ['-9007199254740991', -9007199254740991],
    ['9007199254740992', 9007199254740992n],
    ['-9007199254740992', -9007199254740992n],
    ['9007199254740993', 9007199254740993n],
    ['9223372036854775807', 2n ** 63n - 1n],
    ['9223372036854775808', 2n ** 63n],
    ['-9223372036854775808', -(2n ** 63n)],
    ['18446744073709551615', 2n ** 64n - 1n],
    ['999999999999999', 999999999999999],
    ['0', 0],
    ['-0', -0],
  ];
  for (const [text, value] of cases) assert.ok(Object.is(parseJson(text), value), text);
});

test('a number with a fraction or exponent is parsed like JSON.parse does', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), (number, isExponential) => {
      const text = isExponential ? number.toExponential() : String(number);
      fc.pre(/[.e]/.test(text));
      assert.ok(Object.is(parseJson(text), JSON.parse(text)), text);
      assert.ok(Object.is(parseJson(text.toUpperCase()), JSON.parse(text)), text);
    }),
  );
});

test('a number that overflows a double is refused, and one that underflows becomes zero', () => {
  for (const text of ['1e309', '-1e309', '1E400', '1.8e308', '9e999999'])
    assert.throws(() => parseJson(text), JsonParseError);
  assert.equal(parseJson('1e308'), 1e308);
  assert.equal(parseJson('1e-400'), 0);
});

test('INP-02 the length of a number includes sign, fraction and exponent', () => {
  assert.equal(parseJson('-1.5e3', { numberCharacters: 6 }), -1500);
  assert.throws(() => parseJson('-1.5e3', { numberCharacters: 5 }), { isTooLarge: true });
});
