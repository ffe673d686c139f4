import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decisionParams, decisionSummary } from './decision.ts';
import {
  addPendingDecision,
  currentRevision,
  discardDecisions,
  dropConfirmed,
  markRefused,
  markSaved,
  pendingDecisionOf,
  pendingState,
  removePendingDecision,
} from './pending-decisions.ts';

const IGNORED = { state: 'ignored', reason: 'false_positive' } as const;
const problem = { title: 'No', status: 403, detail: 'no', code: 'NO', requestId: '', hint: '', errors: [] };

test('a reply requested before a decision was saved does not drop it', () => {
  const early = currentRevision();
  const turn = addPendingDecision(['1'], IGNORED);
  dropConfirmed(['1'], currentRevision());
  assert.equal(pendingDecisionOf('1')?.kind, 'saving');
  markSaved(['1'], turn);
  dropConfirmed(['1'], early);
  assert.equal(pendingDecisionOf('1')?.kind, 'saved');
  dropConfirmed(['1'], currentRevision());
  assert.equal(pendingDecisionOf('1'), undefined);
});

test('the failure of an earlier decision does not affect a later one', () => {
  const first = addPendingDecision(['2', '3'], IGNORED);
  const second = addPendingDecision(['2'], { state: 'fixing' });
  markRefused(['2', '3'], first, problem);
  assert.equal(pendingDecisionOf('2')?.decision.state, 'fixing');
  assert.equal(pendingDecisionOf('3')?.problem, problem);
  markSaved(['2'], second);
  removePendingDecision(['2'], second);
  assert.equal(pendingDecisionOf('2')?.kind, 'saved');
  discardDecisions(['2', '3']);
  assert.equal(pendingDecisionOf('2') ?? pendingDecisionOf('3'), undefined);
});

test('a refused or confirmed decision does not set the state', () => {
  const early = currentRevision();
  const turn = addPendingDecision(['4'], IGNORED);
  assert.equal(pendingState(pendingDecisionOf('4'), early), 'ignored');
  assert.equal(pendingState(pendingDecisionOf('4'), currentRevision()), undefined);
  markRefused(['4'], turn, problem);
  dropConfirmed(['4'], currentRevision());
  assert.equal(pendingDecisionOf('4')?.kind, 'refused', 'a reload keeps the reason');
  assert.equal(pendingState(pendingDecisionOf('4')), undefined);
  assert.equal(pendingState(undefined), undefined);
});

test('a reason is sent for ignored findings only', () => {
  assert.deepEqual(decisionParams({ state: 'fixing', reason: 'no_time', note: '' }), {
    triageState: 'FINDING_TRIAGE_STATE_FIXING',
  });
  assert.equal(decisionSummary(['7'], IGNORED), 'ISS-7: Ignored (false positive)');
  assert.equal(
    decisionSummary(
      Array.from({ length: 1200 }, (_, index) => `${index}`),
      { state: 'fixing' },
    ),
    '1,200 findings: To fix',
  );
});
