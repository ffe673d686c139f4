import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import fc from 'fast-check';
import { JsonParseError } from '#kernel/http/json/json-error.ts';
import { DEFAULT_JSON_LIMITS, type JsonLimits, parseJson } from '#kernel/http/json/parse-json.ts';

function refusalOf(body: Uint8Array | string, limits: Partial<JsonLimits> = {}): JsonParseError {
  try {
    parseJson(body, limits);
  } catch (error) {
    assert.ok(error instanceof JsonParseError, `${error} is not a refusal`);
    return error;
  }
  assert.fail(`${JSON.stringify(String(body).slice(0, 80))} was accepted`);
}

/** The result of JSON.parse, with bigint rounded like a double. */
function rounded(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(rounded);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, rounded(member)]));
}

/** A rule beyond the grammar, checked on the value instead of the text. */
function breaksARule(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed();
  if (typeof value === 'number') return !Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return false;
  const names = Array.isArray(value) ? [] : Object.keys(value);
  const isNameBad = names.some((name) => /^(?:__proto__|constructor|prototype)$/.test(name) || breaksARule(name));
  return isNameBad || Object.values(value).some(breaksARule);
}

const anyUnit = { stringUnit: 'binary', depthSize: 'medium', maxDepth: 6 } as const;
const jsonText = fc.oneof(
  fc.json(anyUnit),
  fc
    .tuple(fc.jsonValue(anyUnit), fc.constantFrom('\t', 2, 7))
    .map(([value, indent]) => JSON.stringify(value, null, indent)),
);

test('INP-02 a body that JSON.parse accepts has the same value unless a named rule forbids it', () => {
  fc.assert(
    fc.property(jsonText, (text) => {
      const expected: unknown = JSON.parse(text);
      if (breaksARule(expected)) refusalOf(text);
      else {
        assert.deepEqual(rounded(parseJson(text)), expected);
        assert.deepEqual(parseJson(Buffer.from(text)), parseJson(text));
      }
    }),
    { numRuns: 3_000 },
  );
});

const pieces = fc.constantFrom(
  ...['"', '\\', '{', '}', '[', ']', ',', ':', '0', '1', '-', '+', '.', 'e', 'E', 'true', 'null', 'fals', 'NaN', "'"],
  ...[
    ' ',
    '\n',
    '\t',
    '\v',
    '\f',
    '\u00a0',
    '\u2028',
    '\0',
    '\u001f',
    '/',
    '//',
    '/**/',
    'u',
    '\\u00e9',
    '\\ud83d',
    '"a":',
  ],
);
const mutation = fc.record({ at: fc.nat(400), removed: fc.nat(3), piece: fc.option(pieces, { nil: '' }) });

test('INP-02 a mutated body is refused exactly when JSON.parse or a named rule refuses it', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 3 }), fc.array(mutation, { minLength: 1, maxLength: 3 }), (text, mutations) => {
      let mutated = text;
      for (const { at, removed, piece } of mutations) {
        const position = at % (mutated.length + 1);
        mutated = mutated.slice(0, position) + piece + mutated.slice(position + removed);
      }
      let expected: unknown;
      try {
        expected = JSON.parse(mutated);
      } catch {
        refusalOf(mutated);
        return;
      }
      if (breaksARule(expected)) refusalOf(mutated);
      else {
        try {
          assert.deepEqual(rounded(parseJson(mutated)), expected);
        } catch (error) {
          if (!(error instanceof JsonParseError)) throw error;
          assert.match(error.reason, /given twice in one object/);
        }
      }
    }),
    { numRuns: 20_000 },
  );
});

test('INP-02 text that only resembles JSON is refused', () => {
  const texts = [
    ...[
      '',
      ' ',
      '\n',
      '{',
      '[',
      '}',
      ']',
      '[1',
      '{"a"',
      '{"a":',
      '{"a":1',
      '[1,',
      '{"a":1,',
      '"',
      '"a',
      '"\\',
      '"\\u12',
    ],
    ...[
      '[1,]',
      '[,1]',
      '[,]',
      '[1,,2]',
      '{"a":1,}',
      '{,}',
      '{"a" 1}',
      '{"a"::1}',
      '{a:1}',
      "{'a':1}",
      '{1:1}',
      '[1 2]',
    ],
    ...[
      '[1}',
      '{"a":1]',
      '1 2',
      '{} {}',
      '[]]',
      'tru',
      'TRUE',
      'True',
      'nul',
      'undefined',
      'NaN',
      'Infinity',
      '-Infinity',
    ],
    ...[
      '01',
      '-01',
      '00',
      '+1',
      '-',
      '--1',
      '1.',
      '.5',
      '-.5',
      '1e',
      '1e+',
      '1E-',
      '1.e1',
      '0x10',
      '0b1',
      '1_000',
      '1n',
      '１',
    ],
    ...['"\t"', '"\n"', '"\u001f"', '"\\a"', '"\\x41"', '"\\u00g0"', '"\\u00"', '"\\U0041"', "'a'", '`a`', '"\\\n"'],
    ...[
      '// c\n1',
      '1 // c',
      '/* c */1',
      '#c\n1',
      '\v1',
      '\f1',
      '\u00a01',
      '\u20281',
      '1\0',
      '\0',
      '[1]\u2029',
      'nulll',
    ],
  ];
  for (const text of texts) {
    assert.throws(() => JSON.parse(text), `JSON.parse accepts ${JSON.stringify(text)}`);
    assert.match(refusalOf(text).reason, /^[A-Z].*\.$/);
    assert.equal(refusalOf(text).isTooLarge, false);
  }
});

const nestedArrays = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
const nestedObjects = (depth: number) => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth);
const numberOf = (characters: number) => '9'.repeat(characters);
const arrayOf = (elements: number) => `[${new Array(elements).fill('1').join(',')}]`;
const objectOf = (members: number) => `{${Array.from({ length: members }, (_, index) => `"k${index}":1`).join(',')}}`;
const stringOf = (bytes: number) => `"${'a'.repeat(bytes)}"`;
const wideStringOf = (bytes: number) => `"${'€'.repeat(Math.floor(bytes / 3))}${'a'.repeat(bytes % 3)}"`;
const nameOf = (bytes: number) => `{${stringOf(bytes)}:1}`;
const bodyOf = (bytes: number) => `1${' '.repeat(bytes - 1)}`;
const tokensOf = (tokens: number) => {
  const items: string[] = [];
  for (let left = tokens - 2; left > 0; left -= 9_002)
    items.push(left === 1 ? '1' : arrayOf(Math.min(left, 9_002) - 2));
  return `[${items.join(',')}]`;
};

const boundaries: [keyof JsonLimits, (size: number) => string][] = [
  ['depth', nestedArrays],
  ['depth', nestedObjects],
  ['numberCharacters', numberOf],
  ['elementsPerArray', arrayOf],
  ['membersPerObject', objectOf],
  ['stringBytes', stringOf],
  ['stringBytes', wideStringOf],
  ['stringBytes', nameOf],
  ['tokens', tokensOf],
  ['bodyBytes', bodyOf],
];

test('INP-02 each limit admits its own value and refuses one more as too large', () => {
  for (const [limit, make] of boundaries) {
    const most = DEFAULT_JSON_LIMITS[limit];
    parseJson(make(most - 1));
    parseJson(Buffer.from(make(most)));
    for (const excess of [make(most + 1), make(most + 2)]) {
      const refusal = refusalOf(Buffer.from(excess));
      assert.equal(refusal.isTooLarge, true, `${limit}: ${refusal.reason}`);
      assert.ok(refusal.reason.includes(String(most)), refusal.reason);
    }
  }
});

test('INP-02 a route may change one limit without changing the others', () => {
  assert.deepEqual(parseJson('[1,2]', { elementsPerArray: 2 }), [1, 2]);
  assert.equal(refusalOf('[1,2,3]', { elementsPerArray: 2 }).isTooLarge, true);
  assert.equal(
    parseJson(bodyOf(DEFAULT_JSON_LIMITS.bodyBytes + 1), { bodyBytes: 2 * DEFAULT_JSON_LIMITS.bodyBytes }),
    1,
  );
  assert.equal(refusalOf(nestedArrays(65), { bodyBytes: 2 * DEFAULT_JSON_LIMITS.bodyBytes }).isTooLarge, true);
});

test('INP-02 an accepted body of maximal depth can be stringified again', () => {
  const deep = nestedArrays(DEFAULT_JSON_LIMITS.depth);
  assert.equal(JSON.stringify(parseJson(deep)), deep);
});

test('INP-02 pathological bodies of the full size are refused', () => {
  const full = DEFAULT_JSON_LIMITS.bodyBytes;
  const units = [
    '[',
    '{"a":',
    '[1,',
    '-',
    '1',
    '"',
    '\\',
    '"\\',
    ' ',
    '\n',
    '[],',
    '{},',
    '"a":1,',
    '"\\u0061',
    '\u00e9',
    '"é',
  ];
  for (const unit of units) {
    const times = Math.floor(full / Buffer.byteLength(unit)) - 1;
    for (const body of [unit.repeat(times), `[${unit.repeat(times)}`, `"${unit.repeat(times)}`])
      refusalOf(Buffer.from(body));
  }
  refusalOf(Buffer.alloc(full, 0xff));
  refusalOf(Buffer.alloc(full));
});

test('INP-03 a member given twice is refused at every depth, however its name is spelled', () => {
  const bodies = [
    '{"a":1,"a":1}',
    '{"a":1,"b":2,"a":3}',
    '[{"a":{"b":1,"b":1}}]',
    '{"a":1,"\\u0061":2}',
    '{"":1,"":2}',
    '{"0":1,"0":2}',
    '{"toString":1,"toString":2}',
    '{"a":null,"a":null}',
  ];
  for (const body of bodies) assert.match(refusalOf(body).reason, /is given twice in one object\.$/);
  assert.deepEqual(parseJson('{"a":{"a":1},"b":[{"a":1},{"a":2}],"A":3}'), {
    a: { a: 1 },
    b: [{ a: 1 }, { a: 2 }],
    A: 3,
  });
});

test('INP-03 no value changes its type', () => {
  const value = { text: '1', number: 1, fraction: 1.5, yes: true, no: false, nothing: null, list: ['0'], empty: {} };
  assert.deepEqual(parseJson(JSON.stringify(value)), value);
});

test('INP-08 names that reach the prototype are refused at every depth, however they are spelled', () => {
  for (const name of ['__proto__', 'constructor', 'prototype']) {
    const escaped = `\\u${name.charCodeAt(0).toString(16).padStart(4, '0')}${name.slice(1)}`;
    for (const spelling of [name, escaped]) {
      for (const body of [`{"${spelling}":{"x":1}}`, `{"a":[{"${spelling}":1}]}`, `{"a":1,"${spelling}":null}`]) {
        assert.match(refusalOf(body).reason, /is not allowed\.$/);
        assert.equal(Reflect.get({}, 'x'), undefined);
      }
    }
    assert.equal(parseJson(`"${name}"`), name);
  }
});

test('INP-08 names that Object.prototype has become plain own members, also when it is frozen', () => {
  const body = '{"toString":1,"valueOf":2,"hasOwnProperty":{"__defineGetter__":3}}';
  const parsed = parseJson(body);
  assert.deepEqual(parsed, JSON.parse(body));
  assert.equal(JSON.stringify(parsed), body);
  const script = `Object.freeze(Object.prototype);
    const { parseJson } = await import('#kernel/http/json/parse-json.ts');
    process.stdout.write(JSON.stringify(parseJson(${JSON.stringify(body)})));`;
  const child = spawnSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' });
  assert.equal(child.stdout, body, child.stderr);
});

test('an error names the line and column', () => {
  const places: [string, number, number][] = [
    ['', 1, 1],
    ['[1,]', 1, 4],
    ['{"a":1\n"b":2}', 2, 1],
    ['{\n  "a": 01\n}', 2, 9],
    ['{\n\n  "a": 1,\n  "a": 2}', 4, 3],
    ['["€€", x]', 1, 8],
    ['[1] 2', 1, 5],
    ['"a\\q"', 1, 3],
    ['{"a":tru}', 1, 6],
  ];
  for (const [text, line, column] of places) {
    const refusal = refusalOf(text);
    assert.deepEqual([refusal.line, refusal.column], [line, column], text);
  }
});

test('an error quotes at most a short part of a member name, and stays well formed', () => {
  const name = `${'x'.repeat(63)}😀${'y'.repeat(1_000)}`;
  const { reason } = refusalOf(`{"${name}":1,"${name}":2}`);
  assert.ok(reason.length < 130);
  assert.ok(reason.isWellFormed());
});
