import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Semaphore, SemaphoreFull } from '#kernel/concurrency/semaphore.ts';

function gate() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}

test('no more work runs at once than there are slots, and the rest runs in order', async () => {
  const slots = new Semaphore({ runningMax: 2, waitingMax: 100 });
  const order: number[] = [];
  let running = 0;
  let peak = 0;
  const work = async (index: number) => {
    running += 1;
    peak = Math.max(peak, running);
    order.push(index);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
  };
  await Promise.all(Array.from({ length: 20 }, (_, index) => slots.run(() => work(index))));
  assert.equal(peak, 2);
  assert.deepEqual(
    order,
    [...order].sort((a, b) => a - b),
  );
  assert.equal(slots.isIdle, true);
});

test('failing work frees its slot', async () => {
  const slots = new Semaphore({ runningMax: 1, waitingMax: 10 });
  const failing = Array.from({ length: 5 }, () => slots.run(() => Promise.reject(new Error('no'))));
  for (const result of await Promise.allSettled(failing)) assert.equal(result.status, 'rejected');
  assert.equal(await slots.run(async () => 'fine'), 'fine');
  assert.equal(slots.isIdle, true);
});

test('work that gives up waiting never runs and keeps no slot', async () => {
  const slots = new Semaphore({ runningMax: 1, waitingMax: 10 });
  const { opened, open } = gate();
  const first = slots.run(() => opened);
  const controller = new AbortController();
  const second = slots.run(() => assert.fail('ran'), controller.signal);
  const third = slots.run(async () => 'third');
  controller.abort(new Error('too late'));
  await assert.rejects(second, /too late/);
  await assert.rejects(
    slots.run(async () => assert.fail('ran'), controller.signal),
    /too late/,
  );
  open();
  await first;
  assert.equal(await third, 'third');
  assert.equal(slots.isIdle, true);
});

test('a full queue refuses more work at once', async () => {
  const slots = new Semaphore({ runningMax: 1, waitingMax: 1 });
  const { opened, open } = gate();
  const accepted = [slots.run(() => opened), slots.run(() => opened)];
  await assert.rejects(
    slots.run(() => opened),
    SemaphoreFull,
  );
  open();
  await Promise.all(accepted);
});
