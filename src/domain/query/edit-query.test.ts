import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Term, TermValue } from './ast.ts';
import { dropTerm, termsForKey, toggleTermValue, withoutTerm, withTerm } from './edit-query.ts';
import { formatQuery } from './format-query.ts';
import { parseFilter } from './parse-filter.ts';

const read = (text: string) => parseFilter(text).query;
const word = (value: string): TermValue => ({ kind: 'exact', value });
const term = (text: string): Term => read(text).terms[0] ?? assert.fail();

test('toggling adds a value, then an alternative, and removes a value that is present', () => {
  const one = toggleTermValue(read('is:open'), 'severity', word('high'));
  assert.equal(formatQuery(one), 'is:open severity:high');
  const two = toggleTermValue(one, 'severity', word('critical'));
  assert.equal(formatQuery(two), 'is:open severity:critical,high');
  assert.equal(formatQuery(toggleTermValue(two, 'severity', word('high'))), 'is:open severity:critical');
  assert.equal(formatQuery(toggleTermValue(one, 'severity', word('high'))), 'is:open');
});

test('toggling an exclusion does not change the inclusions', () => {
  const query = toggleTermValue(read('tag:web'), 'tag', word('legacy'), true);
  assert.equal(formatQuery(query), 'tag:web -tag:legacy');
  assert.equal(formatQuery(toggleTermValue(query, 'tag', word('old'), true)), 'tag:web -tag:legacy,old');
});

test('of several terms of a key, toggling changes the one with the value', () => {
  assert.equal(formatQuery(toggleTermValue(read('tag:a,b tag:c,d'), 'tag', word('d'))), 'tag:a,b tag:c');
});

test('toggling twice changes nothing if the key has one term of its kind', () => {
  const texts = ['is:open', 'severity:high,low', '-tag:a,b', 'tag:web', 'age:>30d', '"jwt"'];
  const value = fc.constantFrom<[Term['key'], TermValue]>(
    ['severity', word('high')],
    ['severity', word('info')],
    ['tag', word('web')],
    ['tag', word('a')],
    ['age', term('age:>30d').values[0] ?? word('')],
    ['text', { kind: 'text', text: 'jwt' }],
  );
  fc.assert(
    fc.property(fc.subarray(texts), value, fc.boolean(), (some, [key, one], isNot) => {
      const query = read(some.join(' '));
      assert.deepEqual(toggleTermValue(toggleTermValue(query, key, one, isNot), key, one, isNot), query);
    }),
  );
});

test('an added term can be removed again, whatever the order of its values', () => {
  const query = read('is:open');
  const added: Term = { key: 'severity', isNot: false, values: [word('low'), word('high'), word('low')] };
  assert.equal(formatQuery(withTerm(query, added)), 'is:open severity:high,low');
  assert.deepEqual(withoutTerm(withTerm(query, added), added), query);
  assert.deepEqual(withoutTerm(query, added), query);
});

test('the terms of a key include its exclusions', () => {
  assert.deepEqual(termsForKey(read('tag:a is:open -tag:b'), 'tag'), [term('tag:a'), term('-tag:b')]);
});

test('dropping a term returns its label and the query without it', () => {
  const query = read('is:open cwe:CWE-89 "a b"');
  assert.deepEqual(
    query.terms.map((one) => {
      const { label, query: wider } = dropTerm(query, one);
      return [label, formatQuery(wider)];
    }),
    [
      ['cwe:89', 'is:open "a b"'],
      ['is:open', 'cwe:89 "a b"'],
      ['"a b"', 'cwe:89 is:open'],
    ],
  );
});
