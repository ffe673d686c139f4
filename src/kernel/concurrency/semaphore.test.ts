import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Semaphore, SemaphoreFull } from '#kernel/concurrency/semaphore.ts';

function gate() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}

test('runs at most maxRunning tasks at once, the others in order of arrival', async () => {
  const semaphore = new Semaphore({ maxRunning: 2, maxWaiting: 100 });
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
  await Promise.all(Array.from({ length: 20 }, (_, index) => semaphore.run(() => work(index))));
  assert.equal(peak, 2);
  assert.deepEqual(
    order,
    [...order].sort((a, b) => a - b),
  );
  assert.equal(semaphore.isIdle, true);
});

test('a failed task releases its slot', async () => {
  const semaphore = new Semaphore({ maxRunning: 1, maxWaiting: 10 });
  const failing = Array.from({ length: 5 }, () => semaphore.run(() => Promise.reject(new Error('no'))));
  for (const result of await Promise.allSettled(failing)) assert.equal(result.status, 'rejected');
  assert.equal(await semaphore.run(async () => 'fine'), 'fine');
  assert.equal(semaphore.isIdle, true);
});

test('an aborted waiter never runs and holds no slot', async () => {
  const semaphore = new Semaphore({ maxRunning: 1, maxWaiting: 10 });
  const { opened, open } = gate();
  const first = semaphore.run(() => opened);
  const controller = new AbortController();
  const second = semaphore.run(() => assert.fail('ran'), { signal: controller.signal });
  const third = semaphore.run(async () => 'third');
  controller.abort(new Error('too late'));
  await assert.rejects(second, /too late/);
  await assert.rejects(
    semaphore.run(async () => assert.fail('ran'), { signal: controller.signal }),
    /too late/,
  );
  open();
  await first;
  assert.equal(await third, 'third');
  assert.equal(semaphore.isIdle, true);
});

test('a full queue rejects a task at once', async () => {
  const semaphore = new Semaphore({ maxRunning: 1, maxWaiting: 1 });
  const { opened, open } = gate();
  const accepted = [semaphore.run(() => opened), semaphore.run(() => opened)];
  await assert.rejects(
    semaphore.run(() => opened),
    SemaphoreFull,
  );
  open();
  await Promise.all(accepted);
});

test('tasks with the same key run one after the other, and do not block other keys', async () => {
  const semaphore = new Semaphore({ maxRunning: 2 });
  const { opened, open } = gate();
  const order: string[] = [];
  const task = (name: string) => async () => {
    order.push(name);
    if (name === 'a1') await opened;
  };
  const tasks = ['a1', 'a2', 'b1', 'c1'].map((name) => semaphore.run(task(name), { key: name.slice(0, 1) }));
  await Promise.all(tasks.slice(2));
  assert.deepEqual(order, ['a1', 'b1', 'c1']);
  open();
  await Promise.all(tasks);
  assert.deepEqual(order, ['a1', 'b1', 'c1', 'a2']);
  assert.equal(semaphore.isIdle, true);
});

test('a group that uses all slots does not stop another group', async () => {
  const semaphore = new Semaphore({ maxRunning: 2 });
  const { opened, open } = gate();
  const greedy = Array.from({ length: 10 }, () => semaphore.run(() => opened, { group: 'greedy' }));
  assert.equal(await semaphore.run(async () => 'answered', { group: 'modest' }), 'answered');
  open();
  await Promise.all(greedy);
});

test('groups take turns, however many tasks one of them has queued', async () => {
  const semaphore = new Semaphore({ maxRunning: 1 });
  const order: string[] = [];
  const { opened, open } = gate();
  const tasks = ['a', 'a', 'a', 'a', 'b', 'b', 'c'].map((group) =>
    semaphore.run(() => opened.then(() => void order.push(group)), { group }),
  );
  open();
  await Promise.all(tasks);
  assert.ok(order.indexOf('c') < 3, order.join());
});

test('each group has a queue of its own', async () => {
  const semaphore = new Semaphore({ maxRunning: 1, maxWaiting: 1 });
  const { opened, open } = gate();
  const run = (group: string) => semaphore.run(() => opened, { group });
  const first = [run('a'), run('b'), run('a'), run('b')];
  await assert.rejects(run('a'), SemaphoreFull);
  await assert.rejects(run('b'), SemaphoreFull);
  open();
  await Promise.all(first);
});
