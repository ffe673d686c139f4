import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { GRAMMAR } from './grammar.ts';
import { KEYS, type KeyRow, keyNamed, keyNames } from './keys.ts';
import { parse } from './parse.ts';
import { ADVISORY, CWE, FACT, OWASP, OWNER, type Spelling } from './spelling.ts';
import { wordNamed } from './words.ts';

const rows = Object.entries(KEYS) as [string, KeyRow][];

test('the example of every key is understood, and is about that key', () => {
  for (const [key, { example }] of rows) {
    const { query, problems } = parse(example);
    assert.deepEqual(problems, [], example);
    assert.ok(
      query.terms.every((term) => term.key === key),
      example,
    );
  }
});

test('what the grammar shows is understood', () => {
  for (const [examples] of GRAMMAR)
    for (const example of examples) assert.deepEqual(parse(example).problems, [], example);
});

test('no two keys share a name, and no two words of a key share a spelling', () => {
  const names = rows.flatMap(([key, { aliases }]) => [key, ...aliases]);
  assert.equal(new Set(names).size, names.length);
  for (const [name, key] of keyNames()) assert.equal(keyNamed(name.toUpperCase()), key);
  for (const [key, { words }] of rows) {
    for (const one of words)
      for (const spelling of [one.word, one.stored, one.stored.toUpperCase(), ...one.aliases])
        assert.equal(wordNamed(words, spelling), one, `${key}:${spelling}`);
  }
});

test('names that every object has are no keys', () => {
  for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty'])
    assert.equal(keyNamed(name), undefined);
});

test('help is a sentence, and words need no quotes', () => {
  for (const [key, { help, words }] of rows) {
    assert.match(help, /^[A-Z].*\.$/, key);
    for (const { word, help: meaning } of words) {
      assert.match(word, /^[a-z]+(-[a-z]+)*$/);
      assert.match(meaning, /^([A-Z].*\.)?$/, word);
    }
  }
});

test('a spelling reads what it wrote, and reading twice changes nothing', () => {
  const samples = fc.oneof(
    fc.string(),
    fc.stringMatching(/^(CWE-|cwe-)?\d{1,6}$/),
    fc.stringMatching(/^(a|A|api|llm|m)\d{1,2}(:20\d\d)?$/),
    fc.stringMatching(/^(rule|Category|severity|FINDING_SEVERITY)[-_](high|HIGH|[a-z.-]*)$/),
    fc.stringMatching(/^(cve|CVE|ghsa|GHSA|@)[-A-Za-z0-9]*$/),
  );
  const holds = ({ read, write }: Spelling) =>
    fc.assert(
      fc.property(samples, (text) => {
        const value = read(text);
        if (value !== undefined) assert.equal(read(write(value)), value);
      }),
    );
  for (const spelling of [CWE, OWASP, ADVISORY, OWNER, FACT]) holds(spelling);
});

test('weaknesses, categories and advisories have one spelling each', () => {
  assert.deepEqual(['89', 'CWE-89', 'cwe-089'].map(CWE.read), ['CWE-89', 'CWE-89', 'CWE-89']);
  assert.deepEqual(['a3', 'A03:2021', 'api3', 'llm1', 'a11', 'b03'].map(OWASP.read), [
    ...['A03', 'A03:2021', 'API3', 'LLM01'],
    undefined,
    undefined,
  ]);
  assert.deepEqual(['cve-2021-44228', 'ghsa-JFH8-c2jp-5v3q', 'PYSEC-2021-1'].map(ADVISORY.read), [
    ...['CVE-2021-44228', 'GHSA-jfh8-c2jp-5v3q', 'PYSEC-2021-1'],
  ]);
});
