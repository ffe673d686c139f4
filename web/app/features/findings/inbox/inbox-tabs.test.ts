import assert from 'node:assert/strict';
import { test } from 'node:test';
import { approvalHistory, idAtOffset, nextIdAfterRemoval } from './inbox-tabs.ts';

test('offsets are limited to the list and start at its first id', () => {
  assert.equal(idAtOffset(['a', 'b'], undefined, 1), 'a');
  assert.equal(idAtOffset(['a', 'b'], 'a', 1), 'b');
  assert.equal(idAtOffset(['a', 'b'], 'b', 1), 'b');
  assert.equal(idAtOffset(['a', 'b'], 'a', -1), 'a');
  assert.equal(idAtOffset([], 'a', 1), undefined);
});

test('after a removal the next id follows, or the previous one at the end', () => {
  assert.equal(nextIdAfterRemoval(['a', 'b', 'c'], 'b'), 'c');
  assert.equal(nextIdAfterRemoval(['a', 'b'], 'b'), 'a');
  assert.equal(nextIdAfterRemoval(['a'], 'a'), undefined);
});

test('describes the outcome of earlier requests', () => {
  assert.equal(approvalHistory(47, 53), '47 of 52 other requests for this rule were approved.');
  assert.equal(approvalHistory(1, 2), '1 of 1 other request for this rule was approved.');
  assert.equal(approvalHistory(0, 1), 'There were no earlier requests for this rule.');
});
