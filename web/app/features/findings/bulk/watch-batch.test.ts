import assert from 'node:assert/strict';
import { test } from 'node:test';
import { problemFromResponse, unreachableProblem } from '#web/foundation/api/problem.ts';
import { type BatchProgress, watchBatch } from './watch-batch.ts';

const running: BatchProgress = { state: 'RUNNING', done: 1, skipped: 0, total: 4 };

function watched(answers: (BatchProgress | Error)[]) {
  const seen: BatchProgress[] = [];
  const getProgress = async () => {
    const answer = answers.shift() ?? unreachableProblem();
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const ended = watchBatch({
    getProgress,
    onProgress: (progress) => seen.push(progress),
    pause: async () => undefined,
  });
  return { ended, seen };
}

test('polls a batch to its end despite a few failed requests', async () => {
  const { ended, seen } = watched([
    unreachableProblem(),
    running,
    problemFromResponse(503, {}),
    { ...running, state: 'DONE', done: 4 },
  ]);
  assert.deepEqual(await ended, { state: 'DONE', done: 4, total: 4 });
  assert.equal(seen.length, 2);
});

test('a failed batch reports how much it did', async () => {
  assert.deepEqual(await watched([{ ...running, state: 'FAILED', done: 2 }]).ended, {
    state: 'FAILED',
    done: 2,
    total: 4,
  });
});

test('a batch is lost, not failed, when the server stops answering', async () => {
  assert.deepEqual(await watched([running]).ended, { state: 'LOST', done: 1, total: 4 });
  assert.deepEqual(await watched([problemFromResponse(404, {}), running]).ended, { state: 'LOST', done: 0, total: 0 });
});
