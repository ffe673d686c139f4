import assert from 'node:assert/strict';
import { test } from 'node:test';
import { begin, decidedOf, forget, keep, refuse, settle, stateBy, turnNow, withdraw } from './decided.ts';
import { doneLabel, paramsOf } from './decision.ts';

const IGNORED = { state: 'ignored', reason: 'false_positive' } as const;
const problem = { title: 'No', status: 403, detail: 'no', code: 'NO', requestId: '', hint: '', errors: [] };

test('an answer that was asked for before a decision was saved does not take it off the screen', () => {
  const early = turnNow();
  const turn = begin(['1'], IGNORED);
  settle(['1'], turnNow());
  assert.equal(decidedOf('1')?.kind, 'saving');
  keep(['1'], turn);
  settle(['1'], early);
  assert.equal(decidedOf('1')?.kind, 'saved');
  settle(['1'], turnNow());
  assert.equal(decidedOf('1'), undefined);
});

test('the failure of an earlier decision leaves a later one alone', () => {
  const first = begin(['2', '3'], IGNORED);
  const second = begin(['2'], { state: 'fixing' });
  refuse(['2', '3'], first, problem);
  assert.equal(decidedOf('2')?.decision.state, 'fixing');
  assert.equal(decidedOf('3')?.problem, problem);
  keep(['2'], second);
  withdraw(['2'], second);
  assert.equal(decidedOf('2')?.kind, 'saved');
  forget(['2', '3']);
  assert.equal(decidedOf('2') ?? decidedOf('3'), undefined);
});

test('a decision that was refused, or that the answer knows of, is not what a finding is', () => {
  const early = turnNow();
  const turn = begin(['4'], IGNORED);
  assert.equal(stateBy(decidedOf('4'), early), 'ignored');
  assert.equal(stateBy(decidedOf('4'), turnNow()), undefined);
  refuse(['4'], turn, problem);
  assert.equal(stateBy(decidedOf('4')), undefined);
  assert.equal(stateBy(undefined), undefined);
});

test('a reason goes with ignored findings only', () => {
  assert.deepEqual(paramsOf({ state: 'fixing', reason: 'no_time', note: '' }), {
    triageState: 'FINDING_TRIAGE_STATE_FIXING',
  });
  assert.equal(doneLabel(['7'], IGNORED), 'ISS-7: Ignored (false positive)');
  assert.equal(
    doneLabel(
      Array.from({ length: 1200 }, (_, index) => `${index}`),
      { state: 'fixing' },
    ),
    '1,200 findings: To fix',
  );
});
