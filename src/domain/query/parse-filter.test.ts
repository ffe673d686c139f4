import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Term } from './ast.ts';
import { formatQuery } from './format-query.ts';
import { parseFilter } from './parse-filter.ts';

const DAY_MS = 86_400_000;
const exact = (...values: string[]) => values.map((value) => ({ kind: 'exact', value }));
const only = (text: string) => {
  const { problems } = parseFilter(text);
  assert.equal(problems.length, 1, text);
  const [{ code, start, end, message, suggestions } = assert.fail()] = problems;
  return { code, at: text.slice(start, end), message, suggestions };
};

test('the filter of the guide becomes typed and normalized terms', () => {
  const text =
    'is:open severity:critical,high type:secret project:acme/* -tag:legacy age:>30d cwe:89 owner:@payments "jwt"';
  const { query, problems } = parseFilter(text);
  assert.deepEqual(problems, []);
  const expected: [string, unknown, boolean?][] = [
    ['age', [{ kind: 'range', of: 'duration', fromMs: 30 * DAY_MS }]],
    ['cwe', exact('CWE-89')],
    ['is', exact('open')],
    ['owner', exact('payments')],
    ['project', [{ kind: 'glob', parts: ['acme/', ''] }]],
    ['severity', exact('critical', 'high')],
    ['tag', exact('legacy'), true],
    ['type', exact('secrets')],
    ['text', [{ kind: 'text', text: 'jwt' }]],
  ];
  assert.deepEqual(
    query.terms,
    expected.map(([key, values, isNot = false]) => ({ key, isNot, values })),
  );
});

test('an empty text is a query without terms', () => {
  for (const text of ['', '   ', '\n\t']) assert.deepEqual(parseFilter(text), { query: { terms: [] }, problems: [] });
});

test('keys and values are accepted in any case and by their aliases', () => {
  const { query, problems } = parseFilter('SEVERITY:High status:Provisionally_Ignored product:SCA Tool:Trivy');
  assert.deepEqual(problems, []);
  assert.equal(formatQuery(query), 'is:provisional scanner:Trivy severity:high type:dependency');
});

test('separate words must all match; words with a comma are alternatives', () => {
  const keysAndTexts = ({ key, values }: Term) => [key, values.map((value) => value.kind === 'text' && value.text)];
  assert.deepEqual(parseFilter('sql injection').query.terms.map(keysAndTexts), [
    ['text', ['injection']],
    ['text', ['sql']],
  ]);
  assert.deepEqual(parseFilter('sql,"o r"').query.terms.map(keysAndTexts), [['text', ['o r', 'sql']]]);
});

test('a star is literal in text, and a wildcard in a name unless escaped', () => {
  assert.deepEqual(parseFilter('"select * from"').query.terms[0]?.values, [{ kind: 'text', text: 'select * from' }]);
  assert.deepEqual(parseFilter('path:a\\*b').query.terms[0]?.values, exact('a*b'));
  assert.deepEqual(parseFilter('path:"my dir/*"').query.terms[0]?.values, [{ kind: 'glob', parts: ['my dir/', ''] }]);
});

test('an unknown key is reported with its position and the closest key', () => {
  assert.deepEqual(only('is:open sevrity:high'), {
    code: 'UNKNOWN_KEY',
    at: 'sevrity',
    message: 'There is no filter called "sevrity": use severity, or put the text in quotes.',
    suggestions: ['severity'],
  });
  assert.match(only('https://example.test').message, /put the text in quotes\.$/);
  assert.deepEqual(only('fiel:x').suggestions, ['path']);
  assert.equal(only(':x').at, ':x');
});

test('an unknown value is reported with its position, and the other values still apply', () => {
  const text = 'severity:low,hgih';
  assert.deepEqual(only(text), {
    code: 'UNKNOWN_VALUE',
    at: 'hgih',
    message: '"hgih" is not understood here: use critical, high, medium, low or info.',
    suggestions: ['high'],
  });
  assert.equal(formatQuery(parseFilter(text).query), 'severity:low');
  assert.deepEqual(only('age:30d').suggestions, ['>30d', '<30d']);
  assert.deepEqual(only('type:>code').code, 'UNKNOWN_VALUE');
  for (const value of ['>critical', '<info', '..', 'low..x', 'x..', '>', '>=x'])
    assert.deepEqual(only(`severity:${value}`).code, 'UNKNOWN_VALUE', value);
});

test('a missing value is reported with advice', () => {
  assert.equal(only('severity:').message, 'Write a value right after the colon, such as severity:critical,high.');
  assert.match(only('severity:high,').message, /^Remove the comma/);
  assert.match(only('-').message, /after the minus/);
  assert.match(only('""').message, /between the quotes/);
  assert.match(only('owner:@').message, /write a name/);
});

test('an unclosed quote extends to the end and is reported', () => {
  assert.equal(only('is:open "sql inj').code, 'UNCLOSED_QUOTE');
  assert.equal(formatQuery(parseFilter('is:open "sql inj').query), 'is:open "sql inj"');
});

test('characters that databases and URLs refuse are rejected', () => {
  for (const text of ['a\u0000b', 'path:\u0007', '"\ud800"', 'tag:\udc00x'])
    assert.match(only(text).message, /cannot be seen/);
});

test('no text makes it throw, and every problem is a sentence about a range of the text', () => {
  const tricky = fc.string({ unit: fc.constantFrom(...'ais:,-"\\* >.<@30d\u0000\ud800é'), maxLength: 200 });
  fc.assert(
    fc.property(fc.oneof(tricky, fc.string({ unit: 'binary', maxLength: 200 })), (text) => {
      for (const { start, end, message, suggestions } of parseFilter(text).problems) {
        assert.ok(0 <= start && start <= end && end <= text.length);
        assert.match(message, /^.+\.$/s);
        assert.ok(message.isWellFormed() && suggestions.length <= 3);
      }
    }),
    { numRuns: 1000 },
  );
});
