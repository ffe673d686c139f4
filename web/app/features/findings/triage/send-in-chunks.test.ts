import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sendInChunks } from './send-in-chunks.ts';

const IDS = ['1', '2', '3', '4', '5'];

test('sends many decisions in chunks, each with a batch to undo', async () => {
  const sent: string[][] = [];
  const outcome = await sendInChunks(
    IDS,
    async (chunk) => {
      sent.push(chunk);
      return { batchId: `b${chunk[0]}`, updatedCount: chunk.length, numExceptionsRequested: 0 };
    },
    2,
  );
  assert.deepEqual(sent, [['1', '2'], ['3', '4'], ['5']]);
  assert.deepEqual(outcome, { done: IDS, rest: [], batches: ['b1', 'b3', 'b5'], changed: 5, requested: 0 });
});

test('when a chunk fails, earlier chunks stay done and the rest is reported', async () => {
  const failure = new Error('no');
  const outcome = await sendInChunks(
    IDS,
    async (chunk) => {
      if (chunk.includes('3')) throw failure;
      return { batchId: 'b', updatedCount: 1, numExceptionsRequested: 1 };
    },
    2,
  );
  assert.deepEqual(outcome, {
    done: ['1', '2'],
    rest: ['3', '4', '5'],
    batches: ['b'],
    changed: 1,
    requested: 1,
    failure,
  });
});
