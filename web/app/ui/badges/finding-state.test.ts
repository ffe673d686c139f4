import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findingStateOf, nextStates } from './finding-state.ts';

test('Each state of the API has the one that people meet', () => {
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

test('No state offers itself, and each that people decide about offers a way on', () => {
  for (const state of ['open', 'reopened', 'reviewing', 'fixing', 'provisional', 'ignored'] as const) {
    assert.ok(nextStates(state).length > 0);
    assert.ok(!(nextStates(state) as readonly string[]).includes(state));
  }
  for (const state of ['fixed', 'removed'] as const) assert.deepEqual(nextStates(state), []);
});
