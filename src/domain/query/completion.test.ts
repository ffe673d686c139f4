import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { completionAt } from './completion.ts';

/** The bar marks the cursor. */
const at = (marked: string) => completionAt(marked.replace('|', ''), marked.indexOf('|'));

test('text without a colon completes to keys, by any of their names', () => {
  assert.deepEqual(at('is:open sev|'), { kind: 'key', start: 8, end: 11, prefix: 'sev', offers: ['severity'] });
  assert.deepEqual(at('-re|'), {
    kind: 'key',
    start: 1,
    end: 3,
    prefix: 're',
    offers: ['branch', 'project', 'reachability', 'reason', 'relevant', 'resource'],
  });
  assert.deepEqual(at('sev|rity:high'), { kind: 'key', start: 0, end: 7, prefix: 'sev', offers: ['severity'] });
});

test('between terms all keys are offered, and nothing is replaced', () => {
  const { kind, start, end, offers } = at('is:open |');
  assert.deepEqual([kind, start, end], ['key', 8, 8]);
  assert.ok(offers.includes('severity') && !offers.includes('text'));
});

test('after the colon the values of the key are offered, also for an alias', () => {
  assert.deepEqual(at('status:re|'), {
    ...{ kind: 'value', key: 'is', start: 7, end: 9, prefix: 're' },
    offers: ['reviewing', 'reopened', 'removed'],
  });
  assert.deepEqual(at('project:"acme w|eb'), {
    ...{ kind: 'value', key: 'project', start: 8, end: 17, prefix: 'acme w', offers: [] },
  });
});

test('the value at the cursor is replaced, and values already in the term are not offered', () => {
  assert.deepEqual(at('severity:high,|,low x'), {
    ...{ kind: 'value', key: 'severity', start: 14, end: 14, prefix: '' },
    offers: ['critical', 'medium', 'info'],
  });
  assert.deepEqual(at('severity:high|').offers, ['high']);
});

test('a comparison operator is kept, and the value after it is completed', () => {
  assert.deepEqual(at('severity:>=h|'), {
    ...{ kind: 'value', key: 'severity', start: 11, end: 12, prefix: 'h', offers: ['high'] },
  });
  assert.deepEqual(at('severity:low..|').offers, ['critical', 'high', 'medium', 'low', 'info']);
});

test('within quotes and after an unknown key it is text', () => {
  assert.deepEqual(at('"jw|t'), { kind: 'text', start: 0, end: 4, prefix: 'jw', offers: [] });
  assert.equal(at('std::v|').kind, 'text');
  assert.equal(at('a,b|').kind, 'text');
});

test('for any cursor, the range to replace is within the text and contains the prefix', () => {
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
