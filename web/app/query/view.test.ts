import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { print } from '#domain/query/print.ts';
import { addressOf, DEFAULT_Q, EVERYTHING, inState, isAsked, STATES, stateOf, toggled, viewOf } from './view.ts';

test('an address without a filter means what is open, and what is open needs no filter in the address', () => {
  assert.equal(viewOf(undefined).q, DEFAULT_Q);
  assert.equal(addressOf(viewOf('state:OPEN').query), undefined);
});

test('a filter that was cleared is spelled out as every state, never as the usual one', () => {
  assert.equal(addressOf(viewOf('').query), EVERYTHING);
  assert.equal(stateOf(viewOf(EVERYTHING).query), 'any');
  assert.equal(viewOf(EVERYTHING).problems.length, 0);
});

test('a tab replaces the state and keeps everything else', () => {
  const { query } = viewOf('is:open,reviewing is:new -is:flapping severity:high "jwt"');
  assert.equal(print(inState(query, 'to-fix')), 'is:new is:to-fix -is:flapping severity:high "jwt"');
  assert.equal(print(inState(query)), 'is:new -is:flapping severity:high "jwt"');
});

test('each tab is the one that is current in its own view', () => {
  for (const word of STATES) assert.equal(stateOf(inState(viewOf('severity:high is:open').query, word)), word);
});

test('a click on a value of a facet and another one lead back to the same filter', () => {
  fc.assert(
    fc.property(fc.constantFrom('is:open', 'severity:high is:open', 'project:acme/web'), fc.string(), (q, name) => {
      const { query } = viewOf(q);
      const written = `"${name.replace(/[\\"*]/g, '')}x"`;
      const once = toggled(query, 'rule', written);
      assert.deepEqual([isAsked(query, 'rule', written), isAsked(once, 'rule', written)], [false, true]);
      assert.deepEqual(toggled(once, 'rule', written), query);
    }),
  );
});

test('the address of a view gives the view back', () => {
  for (const q of ['is:open', '', 'severity:high', 'cwe:89 -tag:legacy "a b"', EVERYTHING]) {
    const { query } = viewOf(q);
    const again = viewOf(addressOf(query));
    assert.equal(again.q, q === '' ? EVERYTHING : print(query));
  }
});

test('what is not understood stays as it was written, with what is wrong beside it', () => {
  const view = viewOf('severty:high is:open');
  assert.equal(view.text, 'severty:high is:open');
  assert.equal(view.q, 'is:open');
  assert.equal(view.problems[0]?.code, 'UNKNOWN_KEY');
});
