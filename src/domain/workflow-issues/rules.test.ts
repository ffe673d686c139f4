import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TRIAGE_REASONS, TRIAGE_STATES, type TriageReason, type TriageState } from '#domain/findings/shape.ts';
import { normaliseTriage, unsupportedFieldsOf, workflowTriageOf } from './rules.ts';

test('only ignored issues have a reason', () => {
  const triageReason = 'TRIAGE_REASON_NO_TIME';
  const ignored = { triageState: 'TRIAGE_STATE_IGNORED', triageReason } as const;
  assert.deepEqual(normaliseTriage(ignored), ignored);
  assert.deepEqual(normaliseTriage({ triageState: 'TRIAGE_STATE_FIXED', triageReason }), {
    triageState: 'TRIAGE_STATE_FIXED',
  });
});

test('each decision about findings applies to workflow issues, or lists the unsupported fields', () => {
  for (const state of Object.keys(TRIAGE_STATES) as TriageState[])
    assert.deepEqual(workflowTriageOf({ state }), { triageState: TRIAGE_STATES[state].seed });
  for (const reason of Object.keys(TRIAGE_REASONS) as TriageReason[]) {
    const kept = workflowTriageOf({ state: 'ignored', reason })?.triageReason;
    assert.equal(kept, TRIAGE_REASONS[reason].seed);
    // `no_triage_reason` is stored as an absent reason.
    const isLost = kept === undefined && reason !== 'no_triage_reason';
    assert.deepEqual(unsupportedFieldsOf({ state: 'ignored', reason }), isLost ? ['triageReason'] : []);
  }
  assert.deepEqual(unsupportedFieldsOf({ state: 'fixing', note: 'later', until: new Date(0) }), ['note', 'until']);
  assert.equal(workflowTriageOf({ note: 'later' }), undefined);
});
