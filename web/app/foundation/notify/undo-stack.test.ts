import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UndoStack } from './undo-stack.ts';

test('the last action is undone first, and only once', async () => {
  const stack = new UndoStack();
  const undone: string[] = [];
  for (const id of ['a', 'b']) stack.push({ id, undo: async () => undone.push(id) });
  assert.equal(stack.lastId, 'b');
  assert.deepEqual(await Promise.all([stack.undo('b'), stack.undo('b')]), [true, false]);
  assert.equal(stack.lastId, 'a');
  assert.deepEqual(undone, ['b']);
});

test('a failed undo can be retried', async () => {
  const stack = new UndoStack();
  let tries = 0;
  const undo = async () => {
    tries++;
    if (tries === 1) throw new Error('offline');
  };
  stack.push({ id: 'a', undo });
  await assert.rejects(stack.undo('a'), /offline/);
  assert.equal(stack.lastId, 'a');
  assert.equal(await stack.undo('a'), true);
  assert.equal(stack.lastId, undefined);
});
