import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

/** Far more than anything takes on a busy machine: a test that waits as long has failed. */
const LIMIT_MS = 120_000;
const PAUSE_MS = 10;

/** Asks again and again until there is an answer. */
export async function waitFor<Answer>(
  ask: () => Answer | undefined | Promise<Answer | undefined>,
  otherwise = 'it did not come to that in time',
): Promise<Answer> {
  const start = performance.now();
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    assert.ok(performance.now() - start < LIMIT_MS, otherwise);
    await sleep(PAUSE_MS);
  }
}

/** Waits until something is true. */
export async function waitUntil(isTrue: () => boolean | Promise<boolean>, otherwise?: string): Promise<void> {
  await waitFor(async () => (await isTrue()) || undefined, otherwise);
}
