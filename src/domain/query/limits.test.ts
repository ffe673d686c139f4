import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_FILTER_LENGTH } from './ast.ts';
import { formatQuery } from './format-query.ts';
import { parseFilter } from './parse-filter.ts';

const only = (text: string) => {
  const { problems } = parseFilter(text);
  assert.equal(problems.length, 1, text);
  const [{ code, start, end, message, suggestions } = assert.fail()] = problems;
  return { code, at: text.slice(start, end), message, suggestions };
};

test('each exceeded limit (2,000 characters, 50 terms, 100 values) is reported, and the rest still applies', () => {
  const long = parseFilter(`is:open ${'x'.repeat(3000)}`);
  assert.deepEqual(long.problems, [
    {
      ...{ code: 'TOO_LONG', start: 2000, end: 3008, suggestions: [] },
      message: 'Shorten the filter to 2,000 characters; it has 3,008.',
    },
  ]);
  assert.equal(formatQuery(long.query), 'is:open');
  const words = Array.from({ length: 51 }, (_, index) => `w${index}`).join(' ');
  assert.deepEqual(only(words), {
    ...{ code: 'TOO_MANY_TERMS', at: 'w50', suggestions: [] },
    message: 'Write at most 50 terms; there are 51.',
  });
  assert.equal(parseFilter(words).query.terms.length, 50);
  const values = `cwe:${Array.from({ length: 102 }, (_, index) => index + 1).join(',')}`;
  assert.deepEqual(only(values), {
    ...{ code: 'TOO_MANY_VALUES', at: '101,102', suggestions: [] },
    message: 'Write at most 100 values here; there are 102.',
  });
  assert.equal(parseFilter(values).query.terms[0]?.values.length, 100);
  assert.deepEqual(parseFilter(`is:open${' '.repeat(1993)}`).problems, []);
});

test('an overlong text takes no more time than one of the maximum length', () => {
  for (const unit of ['"', '\\', 'a:', 'severity:>=', 'x,', '-', 'sevrity:x ', 'age:1..', 'seen:-', '*', 'is:opne,']) {
    const { problems } = parseFilter(unit.repeat(1_000_000));
    assert.ok(problems.some(({ code }) => code === 'TOO_LONG'));
    assert.ok(problems.length <= 2000);
  }
});

test('many exclusions of a key are split into several terms', () => {
  const list = (from: number) => Array.from({ length: 80 }, (_, index) => from + index).join(',');
  const { query, problems } = parseFilter(`-cwe:${list(1000)} -cwe:${list(2000)}`);
  assert.deepEqual(problems, []);
  assert.deepEqual(
    query.terms.map(({ values }) => values.length),
    [100, 60],
  );
  assert.deepEqual(parseFilter(formatQuery(query)), { query, problems: [] });
});

test('a text that is too long only in canonical form is reported and truncated', () => {
  const { query, problems } = parseFilter(
    Array.from({ length: 50 }, (_, index) => `${index}${'\\'.repeat(37)}`).join(' '),
  );
  assert.deepEqual(
    problems.map(({ code }) => code),
    ['TOO_LONG'],
  );
  assert.ok(formatQuery(query).length <= MAX_FILTER_LENGTH);
  assert.deepEqual(parseFilter(formatQuery(query)), { query, problems: [] });
});
