import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseFilter } from '../parse-filter.ts';
import { findEnumValue } from './enum-values.ts';
import { GRAMMAR_EXAMPLES } from './grammar-examples.ts';
import { FILTER_KEYS, type FilterKeyDefinition, filterKeyNames, findFilterKey } from './keys.ts';
import {
  ADVISORY_FORMAT,
  CWE_FORMAT,
  FACT_FORMAT,
  OWASP_FORMAT,
  OWNER_FORMAT,
  type ValueFormat,
} from './value-formats.ts';

const rows = Object.entries(FILTER_KEYS) as [string, FilterKeyDefinition][];

test('the example of every key is valid and uses that key', () => {
  for (const [key, { example }] of rows) {
    const { query, problems } = parseFilter(example);
    assert.deepEqual(problems, [], example);
    assert.ok(
      query.terms.every((term) => term.key === key),
      example,
    );
  }
});

test('the grammar examples are valid', () => {
  for (const [examples] of GRAMMAR_EXAMPLES)
    for (const example of examples) assert.deepEqual(parseFilter(example).problems, [], example);
});

test('no two keys share a name, and no two values of a key share a spelling', () => {
  const names = rows.flatMap(([key, { aliases }]) => [key, ...aliases]);
  assert.equal(new Set(names).size, names.length);
  for (const [name, key] of filterKeyNames()) assert.equal(findFilterKey(name.toUpperCase()), key);
  for (const [key, { values }] of rows) {
    for (const one of values)
      for (const spelling of [one.name, one.stored, one.stored.toUpperCase(), ...one.aliases])
        assert.equal(findEnumValue(values, spelling), one, `${key}:${spelling}`);
  }
});

test('names of Object.prototype members are not keys', () => {
  for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty'])
    assert.equal(findFilterKey(name), undefined);
});

test('help is a sentence, and value names need no quotes', () => {
  for (const [key, { help, values }] of rows) {
    assert.match(help, /^[A-Z].*\.$/, key);
    for (const { name, help: meaning } of values) {
      assert.match(name, /^[a-z]+(-[a-z]+)*$/);
      assert.match(meaning, /^([A-Z].*\.)?$/, name);
    }
  }
});

test('a format parses what it formats, and parsing is idempotent', () => {
  const samples = fc.oneof(
    fc.string(),
    fc.stringMatching(/^(CWE-|cwe-)?\d{1,6}$/),
    fc.stringMatching(/^(a|A|api|llm|m)\d{1,2}(:20\d\d)?$/),
    fc.stringMatching(/^(rule|Category|severity|FINDING_SEVERITY)[-_](high|HIGH|[a-z.-]*)$/),
    fc.stringMatching(/^(cve|CVE|ghsa|GHSA|@)[-A-Za-z0-9]*$/),
  );
  const holds = ({ parse, format }: ValueFormat) =>
    fc.assert(
      fc.property(samples, (text) => {
        const value = parse(text);
        if (value !== undefined) assert.equal(parse(format(value)), value);
      }),
    );
  for (const spelling of [CWE_FORMAT, OWASP_FORMAT, ADVISORY_FORMAT, OWNER_FORMAT, FACT_FORMAT]) holds(spelling);
});

test('weaknesses, categories and advisories have one canonical spelling', () => {
  assert.deepEqual(['89', 'CWE-89', 'cwe-089'].map(CWE_FORMAT.parse), ['CWE-89', 'CWE-89', 'CWE-89']);
  assert.deepEqual(['a3', 'A03:2021', 'api3', 'llm1', 'a11', 'b03'].map(OWASP_FORMAT.parse), [
    ...['A03', 'A03:2021', 'API3', 'LLM01'],
    undefined,
    undefined,
  ]);
  assert.deepEqual(['cve-2021-44228', 'ghsa-JFH8-c2jp-5v3q', 'PYSEC-2021-1'].map(ADVISORY_FORMAT.parse), [
    ...['CVE-2021-44228', 'GHSA-jfh8-c2jp-5v3q', 'PYSEC-2021-1'],
  ]);
});
