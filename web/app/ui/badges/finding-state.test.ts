import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findingStateOf, nextStates } from './finding-state.ts';

test('each API state maps to a display state', () => {
  const state = (aggregate: string, triage = 'FINDING_TRIAGE_STATE_UNTRIAGED') =>
    findingStateOf({ aggregateState: `AGGREGATE_ISSUE_STATE_${aggregate}`, triageState: triage });
  assert.equal(state('OPEN'), 'open');
  assert.equal(state('OPEN', 'FINDING_TRIAGE_STATE_REOPENED'), 'reopened');
  assert.equal(state('FIXED', 'FINDING_TRIAGE_STATE_REOPENED'), 'fixed');
  assert.equal(state('IGNORED_APP'), 'ignored');
  assert.equal(state('IGNORED_CODE'), 'ignored');
  assert.equal(state('PROVISIONALLY_IGNORED_APP'), 'provisional');
  assert.equal(state('FIXING'), 'fixing');
  assert.equal(state('something new'), 'open');
});

test('no state offers itself, and every triage state offers a next state', () => {
  for (const state of ['open', 'reopened', 'reviewing', 'fixing', 'provisional', 'ignored'] as const) {
    assert.ok(nextStates(state).length > 0);
    assert.ok(!(nextStates(state) as readonly string[]).includes(state));
  }
  for (const state of ['fixed', 'removed'] as const) assert.deepEqual(nextStates(state), []);
});
