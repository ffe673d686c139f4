import assert from 'node:assert/strict';
import { test } from 'node:test';
import { problemFromResponse, unreachableProblem } from '#web/foundation/api/problem.ts';
import { type BatchProgress, watchBatch } from './watch-batch.ts';

const running: BatchProgress = { state: 'RUNNING', done: 1, skipped: 0, total: 4 };

function watched(answers: (BatchProgress | Error)[]) {
  const seen: BatchProgress[] = [];
  const ask = async () => {
    const answer = answers.shift() ?? unreachableProblem();
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const ended = watchBatch({ ask, onProgress: (progress) => seen.push(progress), pause: async () => undefined });
  return { ended, seen };
}

test('a batch is watched to its end, over a few answers that do not come', async () => {
  const { ended, seen } = watched([
    unreachableProblem(),
    running,
    problemFromResponse(503, {}),
    { ...running, state: 'DONE', done: 4 },
  ]);
  assert.deepEqual(await ended, { state: 'DONE', done: 4, total: 4 });
  assert.equal(seen.length, 2);
});

test('a batch that failed says how much it did', async () => {
  assert.deepEqual(await watched([{ ...running, state: 'FAILED', done: 2 }]).ended, {
    state: 'FAILED',
    done: 2,
    total: 4,
  });
});

test('a batch of which nothing more is heard is lost, not failed', async () => {
  assert.deepEqual(await watched([running]).ended, { state: 'LOST', done: 1, total: 4 });
  assert.deepEqual(await watched([problemFromResponse(404, {}), running]).ended, { state: 'LOST', done: 0, total: 0 });
});
