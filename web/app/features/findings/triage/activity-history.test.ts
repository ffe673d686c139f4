import assert from 'node:assert/strict';
import { test } from 'node:test';
import { latestDecision, undoBatchOf } from './activity-history.ts';

const at = '2026-03-01T10:00:00.000Z';

test('finds the batch of an entry by its time, if it can be undone', () => {
  const entry = { date: at, historyType: 'HISTORY_TYPE_TRIAGE' };
  const event = { at: '2026-03-01T10:00:00Z', kind: 'triaged', batchId: '7', canUndo: true };
  assert.equal(undoBatchOf(entry, [event]), '7');
  assert.equal(undoBatchOf(entry, [{ ...event, canUndo: false }]), undefined);
  assert.equal(undoBatchOf(entry, [{ ...event, kind: 'fixed' }]), undefined);
  assert.equal(undoBatchOf({ ...entry, historyType: 'HISTORY_TYPE_STATUS' }, [event]), undefined);
});

test('a changed note is not a decision', () => {
  const note = { date: at, historyType: 'HISTORY_TYPE_TRIAGE', title: 'Note changed' };
  const ignored = { date: at, historyType: 'HISTORY_TYPE_TRIAGE', title: 'Ignored' };
  assert.equal(latestDecision([note, ignored]), ignored);
  assert.equal(latestDecision([note]), undefined);
});
