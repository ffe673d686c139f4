import assert from 'node:assert/strict';
import { test } from 'node:test';
import { needsNextPage, neighboursOf } from './neighbours.ts';

test('finds the previous and next finding in a list', () => {
  assert.deepEqual(neighboursOf(['3', '9', '4'], '9'), { before: '3', after: '4', position: 2 });
  assert.deepEqual(neighboursOf(['3'], '3'), { position: 1 });
  assert.equal(neighboursOf(['3'], '5'), undefined);
});

test('needs the next page until the list has the finding and its successor', () => {
  assert.equal(needsNextPage([], '9'), true);
  assert.equal(needsNextPage(['3', '9'], '9'), true);
  assert.equal(needsNextPage(['3', '9', '4'], '9'), false);
});
