import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseQueryString, QueryStringError, splitList } from '#kernel/http/request/query-string.ts';

const read = (raw: string) => Object.fromEntries(parseQueryString(raw));

function refusalOf(raw: string): QueryStringError {
  try {
    parseQueryString(raw);
  } catch (error) {
    assert.ok(error instanceof QueryStringError);
    return error;
  }
  assert.fail(`${JSON.stringify(raw.slice(0, 80))} was accepted`);
}

test('HTP-07 repeated, bracketed and indexed keys are one name', () => {
  assert.deepEqual(read('repos=a&repos=b'), { repos: ['a', 'b'] });
  assert.deepEqual(read('repos[]=a&repos[]=b'), { repos: ['a', 'b'] });
  assert.deepEqual(read('repos[1]=b&repos[0]=a&repos[10]=c&repos[2]=d'), { repos: ['a', 'b', 'd', 'c'] });
  assert.deepEqual(read('repos%5B1%5D=b&repos%5b0%5d=a'), { repos: ['a', 'b'] });
  assert.deepEqual(read('x[3]=d&x=a&x[]=b&x[0]=c'), { x: ['a', 'b', 'c', 'd'] });
  assert.deepEqual(read('x[0]=a&x[0]=b&y[0]=c'), { x: ['a', 'b'], y: ['c'] });
});

test('HTP-07 names stay as they were sent, and only a final index is removed', () => {
  assert.deepEqual(read('pageSize=1&page_size=2&A=3'), { pageSize: ['1'], page_size: ['2'], A: ['3'] });
  assert.deepEqual(read('a[b]=1&a[b][0]=2'), { 'a[b]': ['1', '2'] });
  for (const name of ['[]', '[0]', 'x[', 'x]', 'x[-1]', 'x[1', 'x[01234567890]', 'x[ ]', 'x[0]y', 'x[１]']) {
    assert.deepEqual(read(`${encodeURIComponent(name)}=1`), { [name]: ['1'] });
  }
});

test('empty segments are ignored, and a missing value is an empty one', () => {
  assert.deepEqual(read(''), {});
  assert.deepEqual(read('&&'), {});
  assert.deepEqual(read('&&a=b&&'), { a: ['b'] });
  assert.deepEqual(read('a&b=&c=d=e'), { a: [''], b: [''], c: ['d=e'] });
  assert.deepEqual(read('=x'), { '': ['x'] });
});

test('a plus is a space and an escape is decoded once', () => {
  assert.deepEqual(read('q=a+b%2Bc%20d'), { q: ['a b+c d'] });
  assert.deepEqual(read('q=%2541'), { q: ['%41'] });
  assert.deepEqual(read('q=%F0%9F%98%80%C3%A9'), { q: ['😀é'] });
  assert.deepEqual(read('__proto__=1&constructor=2').constructor, ['2']);
  assert.equal(parseQueryString('__proto__=1').get('__proto__')?.[0], '1');
});

test('INP-04 malformed escapes, invalid UTF-8 and NUL are refused with the name of the parameter', () => {
  const bad = ['%', '%2', '%zz', '%C3', '%C0%AF', '%FF', '%ED%A0%80', '%F4%90%80%80', '%00', 'a%00b', '%u0041'];
  for (const value of bad) {
    assert.equal(refusalOf(`ok=1&name=${value}`).parameter, 'name');
    assert.equal(refusalOf(`ok=1&${value}=1`).parameter, value);
    assert.match(refusalOf(`name=${value}`).message, /^The parameter .*\.$/);
  }
  for (const raw of ['a=é', 'a=b c', 'a=\t', 'a=\0', 'é=1', 'a=\u2028']) refusalOf(raw);
});

test('INP-04 an error contains at most a short and well-formed name', () => {
  const name = `${'x'.repeat(63)}😀`;
  const { parameter } = refusalOf(`${encodeURIComponent(name)}=%`);
  assert.equal(parameter.length, 64);
  assert.ok(parameter.isWellFormed());
});

test('HTP-02 a query of 8 KiB and 1,000 parameters is accepted, and one more is refused', () => {
  assert.equal(parseQueryString(`a=${'x'.repeat(8_190)}`).get('a')?.[0]?.length, 8_190);
  assert.equal(refusalOf(`a=${'x'.repeat(8_191)}`).parameter, '');
  assert.equal(parseQueryString('a=1&'.repeat(1_000)).get('a')?.length, 1_000);
  assert.equal(refusalOf('a=1&'.repeat(1_001)).parameter, '');
});

test('the output of URLSearchParams is parsed to the same values', () => {
  const name = fc.string({ unit: 'binary', minLength: 1, maxLength: 8 }).filter((text) => !/[\0\]]/.test(text));
  const value = fc.string({ unit: 'binary', maxLength: 12 }).filter((text) => !text.includes('\0'));
  fc.assert(
    fc.property(fc.array(fc.tuple(name, value), { maxLength: 20 }), (pairs) => {
      const query = parseQueryString(new URLSearchParams(pairs).toString());
      const expected = Map.groupBy(pairs, ([key]) => key);
      assert.deepEqual([...query.keys()], [...expected.keys()]);
      for (const [key, values] of query)
        assert.deepEqual(
          values,
          expected.get(key)?.map(([, text]) => text),
        );
    }),
  );
});

test('HTP-07 the four spellings of a list are equivalent', () => {
  const item = fc.string({ unit: 'binary', minLength: 1, maxLength: 8 }).filter((text) => !/[\0,]/.test(text));
  fc.assert(
    fc.property(fc.array(item, { minLength: 1, maxLength: 12 }), (items) => {
      const encoded = items.map(encodeURIComponent);
      const indexed = encoded.map((text, index) => `x[${index}]=${text}`);
      const spellings = [
        encoded.map((text) => `x=${text}`).join('&'),
        encoded.map((text) => `x[]=${text}`).join('&'),
        indexed.join('&'),
        indexed.toReversed().join('&'),
        `x=${encoded.join(',')}`,
        `x=${encoded.join('%2C')}`,
      ];
      for (const spelling of spellings) assert.deepEqual(splitList(parseQueryString(spelling).get('x') ?? []), items);
    }),
  );
});

test('HTP-07 empty parts of a list are dropped', () => {
  assert.deepEqual(splitList(['a,,b', '', ',c,']), ['a', 'b', 'c']);
  assert.deepEqual(splitList([]), []);
});
