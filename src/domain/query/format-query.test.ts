import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Term, TermValue, TimePoint } from './ast.ts';
import { canonicalize, formatQuery } from './format-query.ts';
import { parseFilter } from './parse-filter.ts';
import { FILTER_KEYS, type FilterKey, type FilterKeyDefinition } from './vocabulary/keys.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Names with everything that needs quotes or escapes. */
const name = fc
  .oneof(
    fc.string({ unit: fc.constantFrom(...'aB/-_.@:,"\\* \t>é'), minLength: 1, maxLength: 12 }),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }),
  )
  .filter((text) => [...text].every((character) => character >= ' ' || character === '\t'));
const exact = (value: string): TermValue => ({ kind: 'exact', value });

const nameOrNothing = fc.oneof(name, fc.constant(''));
const globOf = (own: (text: string) => string) =>
  fc
    .tuple(nameOrNothing, fc.array(name, { maxLength: 2 }), nameOrNothing)
    .map(([first, middle, last]): TermValue => ({ kind: 'glob', parts: [own(first), ...middle, last] }));

const number = fc.tuple(fc.nat(1_000_000), fc.nat(1_000_000), fc.nat(5)).map(([one, other, form]): TermValue => {
  const range = { kind: 'range', of: 'number' } as const;
  const [low, high] = [Math.min(one, other) / 1e6, Math.max(one, other) / 1e6];
  const forms = [{ from: low }, { to: high }, { above: low }, { below: high }, { from: low, to: high }];
  return { ...range, ...(forms[form] ?? { from: low, to: low }) };
});

const hours = fc.integer({ min: 0, max: 20_000 });
const duration = fc.tuple(hours, fc.integer({ min: 1, max: 900 }), fc.nat(2)).map(([from, more, form]): TermValue => {
  const [fromMs, toMs] = [from * HOUR_MS, (from + more) * HOUR_MS];
  return { kind: 'range', of: 'duration', ...([{ fromMs }, { toMs }][form] ?? { fromMs, toMs }) };
});

const at = (day: number): TimePoint => ({ at: new Date(day * DAY_MS).toISOString() });
const moment = fc
  .tuple(fc.nat(30_000), fc.integer({ min: 1, max: 900 }), fc.nat(5))
  .map(([day, more, form]): TermValue => {
    const range = { kind: 'range', of: 'moment' } as const;
    const [later, before]: [TimePoint, TimePoint] = [{ agoMs: day * HOUR_MS }, { agoMs: (day + more) * HOUR_MS }];
    const days = [{ from: at(day) }, { to: at(day) }, { from: at(day), to: at(day + more) }];
    return { ...range, ...([...days, { from: later }, { to: later }][form] ?? { from: before, to: later }) };
  });

function valuesOf(key: FilterKey): fc.Arbitrary<TermValue> {
  const { kind, values, format }: FilterKeyDefinition = FILTER_KEYS[key];
  const own = (text: string) => format?.parse(text) ?? text;
  const spelled = name.map(own).filter((text) => text !== '');
  if (key === 'text') return name.map((text): TermValue => ({ kind: 'text', text }));
  if (key === 'cwe') return fc.nat(99_999).map((id) => exact(`CWE-${id}`));
  if (key === 'owasp') return fc.constantFrom('A03', 'A03:2021', 'API3:2023', 'LLM10').map(exact);
  if (key === 'raised-as')
    return fc.oneof(
      fc.constantFrom(...values.map(({ stored }) => exact(stored))),
      fc.tuple(fc.constantFrom('rule', 'category'), name).map(([fact, text]) => exact(`${fact}-${text}`)),
    );
  if (kind === 'day') return fc.nat(30_000).map((at) => exact(new Date(at * DAY_MS).toISOString().slice(0, 10)));
  if (kind === 'enum') return fc.constantFrom(...values.map(({ stored }) => exact(stored)));
  if (kind === 'text') return spelled.map(exact);
  if (kind === 'glob') return fc.oneof(spelled.map(exact), globOf(own));
  return { number, duration, date: moment }[kind];
}

const term = fc.constantFrom(...(Object.keys(FILTER_KEYS) as FilterKey[])).chain((key) =>
  fc.record({
    key: fc.constant(key),
    isNot: fc.boolean(),
    values: fc.array(valuesOf(key), { minLength: 1, maxLength: 4 }),
  }),
);
const terms: fc.Arbitrary<Term[]> = fc.array(term, { maxLength: 8 });

test('every query is parsed back from its text without problems', () => {
  fc.assert(
    fc.property(terms, (some) => {
      const query = canonicalize(some);
      assert.deepEqual(parseFilter(formatQuery(query)), { query, problems: [] });
    }),
    { numRuns: 1000 },
  );
});

test('the canonical text of any input parses without problems and is stable', () => {
  const word = fc.constantFrom(
    'is:',
    'severity:>=',
    'age:',
    'seen:',
    '-',
    'owner:@',
    'open',
    '30d',
    '..',
    'tag:',
    'cve:',
  );
  const typed = fc.array(fc.oneof(word, name, fc.constantFrom(' ', ',', '"')), { maxLength: 40 });
  fc.assert(
    fc.property(typed, (parts) => {
      const { query } = parseFilter(parts.join(''));
      const text = formatQuery(query);
      assert.deepEqual(parseFilter(text), { query, problems: [] });
      assert.equal(formatQuery(parseFilter(text).query), text);
    }),
    { numRuns: 1000 },
  );
});

test('the order of terms and values, and duplicates, do not matter', () => {
  const shuffled = terms.chain((some) =>
    fc.tuple(fc.constant(some), fc.shuffledSubarray([...some, ...some], { minLength: 2 * some.length })),
  );
  fc.assert(
    fc.property(shuffled, ([some, mixed]) => {
      const turned = mixed.map((one) => ({ ...one, values: [...one.values, ...one.values].reverse() }));
      assert.equal(formatQuery({ terms: turned }), formatQuery({ terms: some }));
    }),
  );
});

test('equivalent filters have the same text', () => {
  const same: [string, string][] = [
    ['type:sast status:FIXING', 'is:to-fix type:code'],
    ['severity:>=high', 'severity:high,critical'],
    ['severity:low..high', 'severity:high,medium,low'],
    ['severity:high..low', 'severity:low..high'],
    ['severity:medium..', 'severity:>=medium'],
    ['severity:..medium', 'severity:<=medium'],
    ['-tag:b -tag:a', '-tag:a,b'],
    ['age:>=3m', 'age:>90d'],
    ['seen:<30d', 'seen:>-30d'],
    ['triaged:>2026-08-01', 'triaged:>=2026-08-02'],
    ['repo:a**b', 'project:a*b'],
    ['team:payments jwt', '"jwt" owner:@payments'],
    ['path:"src"/a', 'file:src/a'],
    ['raised-as:FINDING_SEVERITY_HIGH', 'raised-as:severity-high'],
    ['guardrail:provisionally_ignored', 'guardrail:provisional'],
  ];
  for (const [one, other] of same)
    assert.equal(formatQuery(parseFilter(one).query), formatQuery(parseFilter(other).query));
});

test('the canonical text has sorted keys, exclusions after inclusions, and text last', () => {
  const { query } = parseFilter('"jwt" type:secret -severity:info cwe:89,79 severity:high is:open -"test"');
  assert.equal(formatQuery(query), 'cwe:79,89 is:open severity:high -severity:info type:secret "jwt" -"test"');
});
