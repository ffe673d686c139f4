import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { completionAt } from './completion.ts';

/** The cursor is where the bar stands. */
const at = (marked: string) => completionAt(marked.replace('|', ''), marked.indexOf('|'));

test('a word without a colon may become a key, found by any of its names', () => {
  assert.deepEqual(at('is:open sev|'), { kind: 'key', start: 8, end: 11, prefix: 'sev', offers: ['severity'] });
  assert.deepEqual(at('-re|'), {
    kind: 'key',
    start: 1,
    end: 3,
    prefix: 're',
    offers: ['branch', 'project', 'reachability', 'reason', 'relevant'],
  });
  assert.deepEqual(at('sev|rity:high'), { kind: 'key', start: 0, end: 7, prefix: 'sev', offers: ['severity'] });
});

test('between terms every key is offered, and nothing is replaced', () => {
  const { kind, start, end, offers } = at('is:open |');
  assert.deepEqual([kind, start, end], ['key', 8, 8]);
  assert.ok(offers.includes('severity') && !offers.includes('text'));
});

test('after the colon it is a value of that key, by its real name', () => {
  assert.deepEqual(at('status:re|'), {
    ...{ kind: 'value', key: 'is', start: 7, end: 9, prefix: 're' },
    offers: ['reviewing', 'reopened', 'removed'],
  });
  assert.deepEqual(at('project:"acme w|eb'), {
    ...{ kind: 'value', key: 'project', start: 8, end: 17, prefix: 'acme w', offers: [] },
  });
});

test('of several values the one at the cursor is replaced, and those that are there are not offered again', () => {
  assert.deepEqual(at('severity:high,|,low x'), {
    ...{ kind: 'value', key: 'severity', start: 14, end: 14, prefix: '' },
    offers: ['critical', 'medium', 'info'],
  });
  assert.deepEqual(at('severity:high|').offers, ['high']);
});

test('a comparison stays, and the word behind it is completed', () => {
  assert.deepEqual(at('severity:>=h|'), {
    ...{ kind: 'value', key: 'severity', start: 11, end: 12, prefix: 'h', offers: ['high'] },
  });
  assert.deepEqual(at('severity:low..|').offers, ['critical', 'high', 'medium', 'low', 'info']);
});

test('in quotes, and after a key that is none, it is text', () => {
  assert.deepEqual(at('"jw|t'), { kind: 'text', start: 0, end: 4, prefix: 'jw', offers: [] });
  assert.equal(at('std::v|').kind, 'text');
  assert.equal(at('a,b|').kind, 'text');
});

test('wherever the cursor is, the stretch to replace is in the text and holds the prefix', () => {
  const tricky = fc.string({ unit: fc.constantFrom(...'ais:,-"\\* >.'), maxLength: 40 });
  fc.assert(
    fc.property(tricky, fc.oneof(fc.integer({ min: -5, max: 50 }), fc.constant(Number.NaN)), (text, cursor) => {
      const { start, end, prefix } = completionAt(text, cursor);
      assert.ok(0 <= start && start <= end && end <= text.length);
      assert.ok(prefix.length <= end - start);
    }),
    { numRuns: 1000 },
  );
});
