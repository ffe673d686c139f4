import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ReportError } from '../report-error.ts';
import { type JsonPart, JsonScanner } from './json-scanner.ts';

const LIMITS = { maxDepth: 200, maxValueBytes: 1_000_000 };

interface Scan {
  paths: string[];
  limits?: Partial<typeof LIMITS>;
  /** Offsets at which the bytes are split into chunks. */
  cuts?: number[];
}

function scan(bytes: Buffer, { paths, limits = {}, cuts = [] }: Scan): JsonPart[] {
  const scanner = new JsonScanner(paths, { ...LIMITS, ...limits });
  const borders = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  const chunks = borders.slice(1).map((end, index) => bytes.subarray(borders[index], end));
  return [...chunks.flatMap((chunk) => scanner.push(chunk)), ...scanner.finish()];
}

const values = (parts: JsonPart[], path: string) =>
  parts.filter((part) => part.path === path).map(({ value }) => value);

function isAccepted(bytes: Buffer, scanned: Scan): boolean {
  try {
    scan(bytes, scanned);
    return true;
  } catch (error) {
    assert.ok(error instanceof ReportError, String(error));
    return false;
  }
}

const cuts = fc.array(fc.nat(100_000), { maxLength: 12 });
const text = fc.string({ unit: 'binary', maxLength: 30 }).map((one) => one.replaceAll('\0', '').toWellFormed());
const json = fc.letrec<{ any: unknown }>((tie) => ({
  any: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constant(null),
    fc.boolean(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((one) => (Object.is(one, -0) ? 0 : one)),
    text,
    fc.array(tie('any'), { maxLength: 5 }),
    fc.dictionary(text, tie('any'), { maxKeys: 5, noNullPrototype: true }),
  ),
})).any;
const indent = fc.constantFrom(undefined, 1, '\t', '  ');

test('extracted values equal those of JSON.parse, for any document and any chunking', () => {
  const paths = ['runs[].results[]', 'runs[].tool.driver.rules[]', 'runs[]$', 'other.*[]'];
  const run = fc.record({
    before: json,
    results: fc.array(json),
    tool: fc.record({ driver: fc.record({ rules: fc.array(json) }) }),
    after: json,
  });
  const document = fc.record({
    junk: json,
    runs: fc.array(run, { maxLength: 4 }),
    other: fc.dictionary(text, fc.array(json, { maxLength: 3 }), { noNullPrototype: true }),
  });
  fc.assert(
    fc.property(document, indent, cuts, (value, space, where) => {
      const parts = scan(Buffer.from(JSON.stringify(value, null, space)), { paths, cuts: where });
      const expected = JSON.parse(JSON.stringify(value)) as typeof value;
      assert.deepEqual(
        values(parts, 'runs[].results[]'),
        expected.runs.flatMap(({ results }) => results),
      );
      assert.deepEqual(
        values(parts, 'runs[].tool.driver.rules[]'),
        expected.runs.flatMap(({ tool }) => tool.driver.rules),
      );
      assert.equal(values(parts, 'runs[]$').length, expected.runs.length);
      const members = parts.filter(({ path }) => path === 'other.*[]').map(({ key, value: one }) => [key, one]);
      assert.deepEqual(
        members,
        Object.entries(expected.other).flatMap(([key, all]) => all.map((one) => [key, one])),
      );
    }),
    { numRuns: 300 },
  );
});

test('a document is accepted exactly if JSON.parse accepts it, for any mutation of its bytes', () => {
  const change = fc.tuple(fc.nat(), fc.constantFrom(...'{}[]",:\\0e-tn \u0001x', ''), fc.boolean());
  fc.assert(
    fc.property(json, indent, fc.array(change, { maxLength: 3 }), cuts, (value, space, changes, where) => {
      let document = JSON.stringify({ a: value, list: [value] }, null, space);
      for (const [at, by, isReplaced] of changes) {
        const index = at % document.length;
        document = document.slice(0, index) + by + document.slice(index + (isReplaced ? 1 : 0));
      }
      document = document.toWellFormed();
      let isValid = true;
      try {
        JSON.parse(document);
      } catch {
        isValid = false;
      }
      for (const paths of [[], ['list[]'], ['a']]) {
        assert.equal(isAccepted(Buffer.from(document), { paths, cuts: where }), isValid, document);
      }
    }),
    { numRuns: 600 },
  );
});

const WRONG = [
  '{"a":1]',
  '[1}',
  '[[1}]',
  '{"a":[}]',
  '[1,]',
  '{"a":1,}',
  '[,1]',
  '[1 2]',
  '{"a" 1}',
  '{"a"::1}',
  '{a:1}',
  '{1:1}',
  '[1]]',
  '{}{}',
  '[] x',
  '"a" "b"',
  '01',
  '1.',
  '.5',
  '+1',
  '1e',
  'nul',
  'True',
  'NaN',
  '[-]',
  '["\\x"]',
  '["\\u12"]',
  '["\t"]',
  "['a']",
  '[1,,2]',
  '{"a":}',
  '{,}',
  '}',
  ']',
  ',',
  ':',
  '[:]',
  '{"a":1:2}',
  '[1:2]',
  '{"a","b"}',
  '/**/[]',
  '[0x1]',
  '["a]',
  '{"a":1',
  '',
];
const RIGHT = [
  '[]',
  '{}',
  ' 1 ',
  '"a"',
  'null',
  '[[],{}]',
  '{"":{"a":[]}}',
  '-0.5e-7',
  '\n[\r1\t,2 ]',
  '["\\u00e9"]',
  '[{"a":1},{"a":1}]',
];

test('every kind of invalid document is rejected, inside and outside of extracted values', () => {
  for (const paths of [[], ['[]'], ['a'], ['a[]'], ['*']]) {
    for (const document of WRONG) assert.ok(!isAccepted(Buffer.from(document), { paths }), `${paths}: ${document}`);
    for (const document of RIGHT) assert.ok(isAccepted(Buffer.from(document), { paths }), `${paths}: ${document}`);
  }
});

test('a truncated document is rejected with the offset', () => {
  const whole = Buffer.from('{"runs":[{"results":[{"a":"é\\"}"},2.5,true,"x"]}]}');
  for (let end = 0; end < whole.length; end++) {
    assert.throws(() => scan(whole.subarray(0, end), { paths: ['runs[].results[]'] }), {
      name: 'ReportProblem',
      code: 'NOT_VALID',
      offset: end,
    });
  }
});

test('every chunk boundary gives the same result, even inside of escapes and UTF-8 sequences', () => {
  const whole = Buffer.from('\uFEFF{"k\\u00e9y":1,"list":[{"a":"\\\\\\"}é😀\\ud83d\\ude00"}, -1.5e3,null,"]"]}');
  const expected = [{ a: '\\"}é😀😀' }, -1500, null, ']'];
  for (let at = 3; at <= whole.length; at++) {
    assert.deepEqual(values(scan(whole, { paths: ['list[]'], cuts: [at] }), 'list[]'), expected);
  }
});

test('an oversized value is omitted and reported, and the following ones are read', () => {
  const big = { text: 'x'.repeat(2000) };
  const bytes = Buffer.from(JSON.stringify({ list: [1, big, 2], skipped: big.text }));
  const parts = scan(bytes, { paths: ['list[]'], limits: { maxValueBytes: 1000 }, cuts: [500, 900] });
  assert.deepEqual(
    parts.map(({ value, oversizeBytes, offset }) => [value, oversizeBytes, offset]),
    [
      [1, undefined, 9],
      [undefined, JSON.stringify(big).length, 11],
      [2, undefined, 12 + JSON.stringify(big).length],
    ],
  );
});

test('UPL-03: nesting beyond the limit is rejected, inside and outside of extracted values', () => {
  const deep = `{"list":[${'['.repeat(100_000)}`;
  for (const paths of [[], ['list[]']]) {
    assert.throws(() => scan(Buffer.from(deep), { paths }), { code: 'TOO_DEEP' });
  }
  assert.ok(isAccepted(Buffer.from('['.repeat(200) + ']'.repeat(200)), { paths: [] }));
  assert.ok(!isAccepted(Buffer.from('['.repeat(201) + ']'.repeat(201)), { paths: [] }));
});

test('duplicate keys, __proto__ and constructor are harmless', () => {
  const document =
    '{"__proto__":{"list":[9]},"constructor":1,"list":[{"__proto__":{"isAdmin":true},"a":1,"a":2}],"list":[3]}';
  const parts = scan(Buffer.from(document), { paths: ['list[]', 'hasOwnProperty'] });
  const [first, second] = values(parts, 'list[]') as [Record<string, unknown>, number];
  assert.equal(second, 3);
  assert.equal(first['a'], 2);
  assert.equal((first as { isAdmin?: boolean }).isAdmin, undefined);
  assert.equal(({} as { isAdmin?: boolean }).isAdmin, undefined);
});

test('characters that the database cannot store are replaced in strings and keys', () => {
  const document = '{"list":[{"a\\u0000b":"x\\u0000y","c":["\\ud83d","\\ud83d\\ude00"]},"\\u0000"]}';
  assert.deepEqual(values(scan(Buffer.from(document), { paths: ['list[]'] }), 'list[]'), [
    { 'a\uFFFDb': 'x\uFFFDy', c: ['\uFFFD', '😀'] },
    '\uFFFD',
  ]);
});

test('an error never quotes the report', () => {
  const document = '{"list":[{"secret":"AKIAQYLPMN5HFIQR7XYA",}]}';
  assert.throws(
    () => scan(Buffer.from(document), { paths: ['list[]'] }),
    (error: Error) => error instanceof ReportError && !error.message.includes('AKIA') && error.offset === 9,
  );
});
