import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import fc from 'fast-check';
import { randomSeed, runsOf } from '#test/support/properties.ts';
import { type JsonValue, pythonJson } from './python-json.ts';

const isPythonHere = spawnSync('python3', ['-c', 'import json']).status === 0;

/** Parses each line and serializes it again, as receivers do before they check a signature. */
const PYTHON = `
import json, sys
for line in sys.stdin.buffer.read().decode("ascii").splitlines():
    print(json.dumps(json.loads(line), separators=(",", ":")))
`;

const value = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.string({ unit: 'binary' }),
    fc.string({ unit: 'grapheme' }),
    fc.integer(),
    fc.maxSafeInteger(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.double({ noNaN: true, min: 0, max: 1 }),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.string(), tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value;

test('the bytes survive Python, which parses and serializes them again', { skip: !isPythonHere }, (context) => {
  const values = fc.sample(value, { numRuns: runsOf({ full: 10_000, quick: 2000 }), seed: randomSeed(context) });
  const texts = [
    ...[0.00004, 1e-7, 123456789.125, 1e16 + 0.5, 1.5e300, 5e-324, -0.1, 1e21, 0.1, 2 ** 53].map(pythonJson),
    ...['\u007f', '\ud83d\ude00', '\ud800', 'é\u2028</script>', '\0\b\f\n\r\t"\\/'].map(pythonJson),
    ...values.map(pythonJson),
  ];
  const { stdout, status, stderr } = spawnSync('python3', ['-c', PYTHON], {
    input: texts.join('\n'),
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  assert.equal(status, 0, stderr);
  assert.deepEqual(stdout.trimEnd().split('\n'), texts);
});

test('the text is JSON of the same value, in printable ASCII', (context) => {
  fc.assert(
    fc.property(value, (one) => {
      const text = pythonJson(one);
      assert.match(text, /^[ -~]*$/);
      const isDroppedKey = (key: string) => /^(0|[1-9]\d*)$/.test(key);
      const expected = JSON.parse(JSON.stringify(one), (key, member: unknown) => {
        if (typeof member !== 'object' || member === null || Array.isArray(member)) return member;
        void key;
        return Object.fromEntries(Object.entries(member).filter(([name]) => !isDroppedKey(name)));
      }) as unknown;
      assert.deepEqual(JSON.parse(text), expected);
    }),
    { seed: randomSeed(context) },
  );
});

test('small numbers are written as Python writes them', () => {
  assert.equal(pythonJson([0.00004, 0.0001, 1, 1.5, 1e22]), '[4e-05,0.0001,1,1.5,10000000000000000000000]');
});
