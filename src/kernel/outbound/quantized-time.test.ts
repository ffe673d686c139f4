import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { MAX_CHECK_MS, remainingStepMs, sleepByTimer, withQuantizedDuration } from './quantized-time.ts';

describe('answers of outbound checks', () => {
  test('end after exactly 1, 3 or 10 seconds, however long the work took (SRF-07)', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_000 }), (elapsedMs) => {
        const end = elapsedMs + remainingStepMs(elapsedMs);
        assert.ok([1_000, 3_000, 10_000].includes(end));
      }),
    );
  });

  test('can end before the last step', () => assert.ok(remainingStepMs(MAX_CHECK_MS) > 0));

  test('are not delayed when the work took longer than the last step', () => assert.equal(remainingStepMs(12_345), 0));

  test('wait with a timer by default', async () => {
    const start = performance.now();
    await withQuantizedDuration(sleepByTimer, async () => {});
    // A timer may fire a millisecond early.
    assert.ok(performance.now() - start >= 998);
  });

  test('that failed wait as long as successful ones', async () => {
    const waits: number[] = [];
    const pause = async (ms: number) => {
      waits.push(ms);
    };
    assert.equal(await withQuantizedDuration(pause, async () => 'done'), 'done');
    await assert.rejects(withQuantizedDuration(pause, () => Promise.reject(new Error('broken'))));
    for (const ms of waits) assert.ok(ms > 0 && ms <= 1_000);
    assert.equal(waits.length, 2);
  });
});
