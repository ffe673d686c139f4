import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatQuery } from '#domain/query/format-query.ts';
import {
  ALL_STATES_Q,
  DEFAULT_Q,
  FILTER_STATES,
  filterParam,
  filterStateOf,
  hasValue,
  parseFilterView,
  toggleValue,
  withState,
} from './filter-view.ts';

test('the default filter is is:open, and it is omitted from the URL', () => {
  assert.equal(parseFilterView(undefined).q, DEFAULT_Q);
  assert.equal(filterParam(parseFilterView('state:OPEN').query), undefined);
});

test('a cleared filter is written as all states, never as the default', () => {
  assert.equal(filterParam(parseFilterView('').query), ALL_STATES_Q);
  assert.equal(filterStateOf(parseFilterView(ALL_STATES_Q).query), 'any');
  assert.equal(parseFilterView(ALL_STATES_Q).problems.length, 0);
});

test('a tab replaces the state and keeps the other terms', () => {
  const { query } = parseFilterView('is:open,reviewing is:new -is:flapping severity:high "jwt"');
  assert.equal(formatQuery(withState(query, 'to-fix')), 'is:new is:to-fix -is:flapping severity:high "jwt"');
  assert.equal(formatQuery(withState(query)), 'is:new -is:flapping severity:high "jwt"');
});

test('each tab is active in its own view', () => {
  for (const word of FILTER_STATES)
    assert.equal(filterStateOf(withState(parseFilterView('severity:high is:open').query, word)), word);
});

test('toggling a facet value twice restores the filter', () => {
  fc.assert(
    fc.property(fc.constantFrom('is:open', 'severity:high is:open', 'project:acme/web'), fc.string(), (q, name) => {
      const { query } = parseFilterView(q);
      const written = `"${name.replace(/[\\"*]/g, '')}x"`;
      const once = toggleValue(query, 'rule', written);
      assert.deepEqual([hasValue(query, 'rule', written), hasValue(once, 'rule', written)], [false, true]);
      assert.deepEqual(toggleValue(once, 'rule', written), query);
    }),
  );
});

test('the URL of a view restores the view', () => {
  for (const q of ['is:open', '', 'severity:high', 'cwe:89 -tag:legacy "a b"', ALL_STATES_Q]) {
    const { query } = parseFilterView(q);
    const again = parseFilterView(filterParam(query));
    assert.equal(again.q, q === '' ? ALL_STATES_Q : formatQuery(query));
  }
});

test('invalid text is kept as written, with its problems', () => {
  const view = parseFilterView('severty:high is:open');
  assert.equal(view.text, 'severty:high is:open');
  assert.equal(view.q, 'is:open');
  assert.equal(view.problems[0]?.code, 'UNKNOWN_KEY');
});
