import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayOf, latestDecision, startOfDay, tomorrowOf, undoBatchOf } from './activity-history.ts';

const at = '2026-03-01T10:00:00.000Z';

test('An entry is taken back by the batch of its moment, if that can be', () => {
  const entry = { date: at, historyType: 'HISTORY_TYPE_TRIAGE' };
  const event = { at: '2026-03-01T10:00:00Z', kind: 'triaged', batchId: '7', canUndo: true };
  assert.equal(undoBatchOf(entry, [event]), '7');
  assert.equal(undoBatchOf(entry, [{ ...event, canUndo: false }]), undefined);
  assert.equal(undoBatchOf(entry, [{ ...event, kind: 'fixed' }]), undefined);
  assert.equal(undoBatchOf({ ...entry, historyType: 'HISTORY_TYPE_STATUS' }, [event]), undefined);
});

test('A changed note is no decision', () => {
  const note = { date: at, historyType: 'HISTORY_TYPE_TRIAGE', title: 'Note changed' };
  const ignored = { date: at, historyType: 'HISTORY_TYPE_TRIAGE', title: 'Ignored' };
  assert.equal(latestDecision([note, ignored]), ignored);
  assert.equal(latestDecision([note]), undefined);
});

test('A day is that of the person, whatever day it is elsewhere', () => {
  assert.equal(dayOf(new Date('2026-03-02T00:00:00')), '2026-03-02');
  assert.equal(dayOf(new Date('2026-03-02T23:59:59')), '2026-03-02');
  assert.equal(dayOf(new Date(startOfDay('2026-12-31') ?? '')), '2026-12-31');
});

test('A decision can end from tomorrow on, at the beginning of a day', () => {
  assert.equal(tomorrowOf(new Date('2026-03-01T10:00:00')), '2026-03-02');
  assert.equal(new Date(startOfDay('2026-03-02') ?? '').getHours(), 0);
  assert.equal(startOfDay(''), undefined);
  assert.equal(startOfDay('soon'), undefined);
});
