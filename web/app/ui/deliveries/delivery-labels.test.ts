import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contentLabel, isReplayable, targetLabel } from './delivery-labels.ts';

test('a delivery is described by its kind and the number of its findings', () => {
  assert.equal(contentLabel({ kind: 'findings', findingCount: 1 }), '1 finding');
  assert.equal(contentLabel({ kind: 'ticket', findingCount: 3 }), 'ticket for 3 findings');
  assert.equal(contentLabel({ kind: 'scan', findingCount: 0 }), 'completed scan');
  assert.equal(contentLabel({ kind: 'triage', findingCount: 2 }), 'triage of 2 findings');
});

test('a delivery without a destination is named after its action', () => {
  assert.equal(targetLabel({ destinationName: 'SIEM', actionType: 'ACTION_TYPE_WEBHOOK' }), 'SIEM');
  assert.equal(targetLabel({ destinationName: '', actionType: 'ACTION_TYPE_BLOCK' }), 'block the merge');
  assert.equal(targetLabel({ destinationName: '' }), 'a deleted destination');
});

test('only what was sent or failed can be sent again, and no test', () => {
  const delivery = { state: 'failed', destinationId: '1', kind: 'findings' } as Parameters<typeof isReplayable>[0];
  assert.equal(isReplayable(delivery), true);
  assert.equal(isReplayable({ ...delivery, state: 'held' }), false);
  assert.equal(isReplayable({ ...delivery, kind: 'test' }), false);
});
