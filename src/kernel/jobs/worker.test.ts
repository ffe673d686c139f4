import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, afterEach, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { z } from 'zod';
import { makeLog } from '#kernel/log/log.ts';
import { type KernelDatabase, startKernelDatabase } from '#test/support/world/kernel-database.ts';
import { type JobHandler, jobHandler } from './handler.ts';
import { enqueue, enqueueAll, type JobKind, job } from './job.ts';
import { LeaseLost } from './job-run.ts';
import { JobWorker, type WorkerTiming } from './worker.ts';

let kernel: KernelDatabase;
let superuser: pg.Client;
const workers: JobWorker[] = [];

before(async () => {
  kernel = await startKernelDatabase();
  superuser = await kernel.superuser();
  await superuser.query(`
    create table effect (deployment_id bigint not null, name text not null, note text not null default '');
    grant select, insert on effect to parapet_app, parapet_background`);
});
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
});
after(() => kernel.stop());

const program = fileURLToPath(new URL('../../../test/support/world/crashing-worker.ts', import.meta.url));
const HOUR_MS = 3_600_000;
const log = makeLog('silent');

function startWorker(handlers: JobHandler[], timing: Partial<WorkerTiming> = {}, concurrency = 8): JobWorker {
  const workerId = `worker-${workers.length}`;
  const worker = new JobWorker({
    db: kernel.db,
    connection: kernel.connection,
    handlers,
    log,
    workerId,
    concurrency,
    timing: { pollMs: 50, graceMs: 5000, ...timing },
  });
  workers.push(worker);
  worker.start();
  return worker;
}

/** Each test has its own kind of job, so that its workers do not run jobs of other tests. */
const named = (kind: string) => job({ kind, payload: { name: z.string() } });
type Named = ReturnType<typeof named>;

const add = (kind: Named, deployment: string, names: string[]) =>
  kernel.db.transaction(
    deployment === '0' ? { role: 'background', isRead: false } : { role: 'app', deployment, isRead: false },
    (tx) =>
      enqueueAll(
        tx,
        kind,
        names.map((name) => ({ deployment, payload: { name } })),
      ),
  );

async function rows(text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  return (await superuser.query(text, values)).rows;
}
const jobsOf = (kind: JobKind) =>
  rows(
    'select id, state, attempt, last_error, worker, run_at > now() as is_later from job where kind = $1 order by id',
    [kind.kind],
  );
const effectsOf = async (prefix: string) =>
  (await rows("select name from effect where name like $1 || '%' order by name", [prefix])).map((row) => row['name']);

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await sleep(10);
}
const untilStates = (kind: JobKind, state: string) =>
  until(async () => (await jobsOf(kind)).every((found) => found['state'] === state));
const makeDue = (kind: JobKind) =>
  rows("update job set run_at = now() where state = 'ready' and kind = $1", [kind.kind]);

describe('enqueue', () => {
  test('WHK-01: a job exists exactly when the transaction that enqueued it was committed', async () => {
    const kind = named('test.atomic');
    const ordered = (name: string) => ({ deployment: '7', payload: { name } });
    await kernel.db.transaction({ role: 'app', deployment: '7', isRead: false }, (tx) =>
      enqueue(tx, kind, ordered('kept')),
    );
    const refused = kernel.db.transaction({ role: 'app', deployment: '7', isRead: false }, async (tx) => {
      await enqueue(tx, kind, ordered('lost'));
      throw new Error('changed my mind');
    });
    await assert.rejects(refused, /changed my mind/);
    const found = await rows('select payload from job where kind = $1', [kind.kind]);
    assert.deepEqual(found, [{ payload: { name: 'kept' } }]);
  });

  test('a key prevents a second job only while the first one is queued', async () => {
    const kind = named('test.unique');
    const order = () =>
      kernel.db.transaction({ role: 'app', deployment: '7', isRead: false }, (tx) =>
        enqueue(tx, kind, { deployment: '7', payload: { name: 'x' }, uniqueKey: 'x' }),
      );
    assert.deepEqual([await order(), await order()], [true, false]);
    await rows("update job set state = 'running' where kind = $1", [kind.kind]);
    assert.deepEqual([await order(), await order()], [true, false]);
  });

  test('a payload that violates its schema is refused when it is enqueued', async () => {
    const kind = job({ kind: 'test.contract', payload: { count: z.int() } });
    const order = kernel.db.transaction({ role: 'background', isRead: false }, (tx) =>
      enqueue(tx, kind, { deployment: '0', payload: { count: 0.5 } }),
    );
    await assert.rejects(order, z.ZodError);
    assert.deepEqual(await jobsOf(kind), []);
  });

  test('a deployment enqueues and sees only its own jobs, and can only finish them', async () => {
    const kind = named('test.walls');
    await add(kind, '7', ['mine']);
    const app = (deployment: string, work: Parameters<typeof kernel.db.transaction<unknown>>[1]) =>
      kernel.db.transaction({ role: 'app', deployment, isRead: false }, work);
    const order = (deployment: string) => ({ deployment, payload: { name: 'x' } });
    await assert.rejects(
      app('7', (tx) => enqueue(tx, kind, order('8'))),
      { code: '42501' },
    );
    await assert.rejects(
      kernel.db.transaction({ role: 'auth', isRead: false }, (tx) => enqueue(tx, kind, order('7'))),
      { code: '42501' },
    );
    await kernel.db.transaction({ role: 'auth', isRead: false }, (tx) => enqueue(tx, kind, order('0')));
    assert.deepEqual(await app('8', (tx) => tx.rows`select id from job where kind = ${kind.kind}`), []);
    await assert.rejects(
      app('7', (tx) => tx.run`update job set attempt = 0`),
      { code: '42501' },
    );
    await assert.rejects(
      app('7', (tx) => tx.run`delete from job`),
      { code: '42501' },
    );
    assert.equal(await app('7', (tx) => tx.run`update job set state = 'done' where state = 'ready'`), 0);
    await rows("update job set state = 'running' where kind = $1", [kind.kind]);
    await assert.rejects(
      app('7', (tx) => tx.run`update job set state = 'dead' where kind = ${kind.kind}`),
      { code: '42501' },
    );
  });
});

describe('worker', () => {
  test('JOB-01: with two workers every committed job takes effect exactly once', async () => {
    const kind = named('test.once');
    const names = Array.from({ length: 300 }, (_, index) => `once-${String(index).padStart(3, '0')}`);
    const insert = jobHandler(kind, async ({ payload, deployment, transact }) => {
      await transact((tx) => tx.run`insert into effect values (${deployment}, ${payload.name})`);
    });
    startWorker([insert]);
    startWorker([insert]);
    await Promise.all([add(kind, '7', names.slice(0, 100)), add(kind, '8', names.slice(100, 200))]);
    await add(kind, '0', names.slice(200));
    await untilStates(kind, 'done');
    assert.deepEqual(await effectsOf('once-'), names);
  });

  test('JOB-02: a frozen worker is replaced, and its late commit is refused', async () => {
    const kind = named('test.frozen');
    const thaw = Promise.withResolvers<void>();
    const refused = Promise.withResolvers<unknown>();
    const frozen = jobHandler(kind, async ({ payload, deployment, transact }) => {
      await thaw.promise;
      await transact((tx) => tx.run`insert into effect values (${deployment}, ${payload.name}, 'late')`).catch(
        refused.resolve,
      );
    });
    startWorker([frozen], { leaseMs: 50, heartbeatMs: 0, pollMs: HOUR_MS }, 1);
    await add(kind, '7', ['frozen']);
    await untilStates(kind, 'running');
    const healthy = jobHandler(kind, async ({ payload, deployment, transact }) => {
      await transact((tx) => tx.run`insert into effect values (${deployment}, ${payload.name}, 'in time')`);
    });
    startWorker([healthy]);
    await until(async () => {
      await makeDue(kind);
      return (await jobsOf(kind))[0]?.['state'] === 'done';
    });
    thaw.resolve();
    assert.ok((await refused.promise) instanceof LeaseLost);
    assert.deepEqual(await rows("select note from effect where name = 'frozen'"), [{ note: 'in time' }]);
    assert.equal((await jobsOf(kind))[0]?.['attempt'], 2);
  });

  test('JOB-02: heartbeats renew the lease of a long job', async () => {
    const kind = named('test.long');
    const beats = Promise.withResolvers<void>();
    const slow = jobHandler(kind, async ({ deployment, transact }) => {
      await beats.promise;
      await transact((tx) => tx.run`insert into effect values (${deployment}, 'long-1')`);
    });
    startWorker([slow], { leaseMs: 2000, heartbeatMs: 20 });
    await add(kind, '7', ['long-1']);
    const lease = async () => (await rows('select lease_until::text from job where kind = $1', [kind.kind]))[0];
    await until(async () => (await lease())?.['lease_until'] !== null);
    const first = await lease();
    await until(async () => (await lease())?.['lease_until'] !== first?.['lease_until']);
    beats.resolve();
    await untilStates(kind, 'done');
    assert.deepEqual(
      (await jobsOf(kind)).map((found) => found['attempt']),
      [1],
    );
  });

  test('the signal of a job is aborted when its lease is lost', async () => {
    const kind = named('test.signal');
    const told = Promise.withResolvers<unknown>();
    const listening = jobHandler(kind, async ({ signal }) => {
      await once(signal, 'abort');
      told.resolve(signal.reason);
    });
    const worker = startWorker([listening], { heartbeatMs: 20 });
    await add(kind, '7', ['signal']);
    await until(async () => (await jobsOf(kind)).every((found) => found['state'] === 'running'));
    await rows('update job set lease_version = lease_version + 1 where kind = $1', [kind.kind]);
    assert.ok((await told.promise) instanceof LeaseLost);
    await worker.stop();
  });

  test('JOB-03: a failing job is retried with increasing delays, and is dead after its last attempt', async () => {
    const kind = job({ kind: 'test.failing', payload: {}, maxAttempts: 3 });
    const failing = jobHandler(kind, async ({ attempt }) => {
      throw new Error(`try ${attempt} with password=hunter2`);
    });
    startWorker([failing]);
    await kernel.db.transaction({ role: 'background', isRead: false }, (tx) =>
      enqueue(tx, kind, { deployment: '0', payload: {} }),
    );
    for (const attempt of [1, 2]) {
      await until(async () => (await jobsOf(kind))[0]?.['last_error'] === `Error: try ${attempt} with password=[cut]`);
      const [found] = await jobsOf(kind);
      assert.deepEqual([found?.['state'], found?.['attempt'], found?.['is_later']], ['ready', attempt, true]);
      await makeDue(kind);
    }
    await untilStates(kind, 'dead');
    const [found] = await jobsOf(kind);
    assert.deepEqual([found?.['attempt'], found?.['last_error']], [3, 'Error: try 3 with password=[cut]']);
  });

  test('JOB-03: a job that kills its process uses up its attempts, and the other jobs complete', async () => {
    const poison = job({ kind: 'test.poison', payload: {}, maxAttempts: 2 });
    const harmless = named('test.harmless');
    await kernel.db.transaction({ role: 'background', isRead: false }, (tx) =>
      enqueue(tx, poison, { deployment: '0', payload: {} }),
    );
    await add(harmless, '7', ['harmless-1', 'harmless-2', 'harmless-3']);
    for (let attempt = 1; attempt <= 2; attempt++) {
      const child = spawn(process.execPath, [program, JSON.stringify(kernel.connection)], { stdio: 'inherit' });
      const [, signal] = await once(child, 'exit');
      assert.equal(signal, 'SIGKILL');
      startWorker([jobHandler(harmless, async () => undefined)]);
      await until(async () => (await jobsOf(poison))[0]?.['state'] !== 'running');
      await makeDue(poison);
    }
    await untilStates(poison, 'dead');
    assert.equal((await jobsOf(poison))[0]?.['attempt'], 2);
    await until(async () => {
      await makeDue(harmless);
      return (await jobsOf(harmless)).every((found) => found['state'] === 'done');
    });
  });

  test('JOB-03: a job whose payload no longer fits its schema fails like any other', async () => {
    const kind = named('test.misfit');
    startWorker([jobHandler(kind, async () => undefined)]);
    await rows(`insert into job (deployment_id, queue, kind, payload, max_attempts) values (7, 'main', $1, '{}', 1)`, [
      kind.kind,
    ]);
    await untilStates(kind, 'dead');
    assert.match(String((await jobsOf(kind))[0]?.['last_error']), /^ZodError/);
  });

  test('JOB-04: few jobs of one deployment do not wait behind many of another', async () => {
    const kind = named('test.fair');
    await add(
      kind,
      '71',
      Array.from({ length: 2000 }, () => 'many'),
    );
    await add(
      kind,
      '72',
      Array.from({ length: 10 }, () => 'few'),
    );
    const order: string[] = [];
    const noting = jobHandler(kind, async ({ payload, transact }) => {
      await transact(async () => order.push(payload.name));
    });
    const worker = startWorker([noting], {}, 4);
    await until(async () => order.filter((name) => name === 'few').length === 10);
    await worker.stop();
    const before = order.slice(0, order.lastIndexOf('few')).filter((name) => name === 'many').length;
    assert.ok(before <= 30, `${before} jobs of the busy deployment came before the last of the quiet one`);
  });

  test('JOB-04: with more deployments than slots, a round serves each of them', async () => {
    const kind = named('test.round');
    const deployments = Array.from({ length: 30 }, (_, index) => String(800 + index));
    for (const deployment of deployments) await add(kind, deployment, ['a', 'b', 'c']);
    const order: string[] = [];
    const worker = startWorker([jobHandler(kind, async ({ deployment }) => void order.push(deployment))], {}, 1);
    await until(async () => order.length >= 60);
    await worker.stop();
    assert.deepEqual(order.slice(0, 30), deployments);
    assert.deepEqual(order.slice(30, 60), deployments);
  });

  test('a new job wakes the worker at once, also after its connection broke', async () => {
    const kind = named('test.wake');
    const done: string[] = [];
    startWorker([jobHandler(kind, async ({ payload }) => void done.push(payload.name))], { pollMs: HOUR_MS });
    const listeners =
      "select pid from pg_stat_activity where application_name = 'parapet-wake' and query like 'listen%'";
    await until(async () => (await rows(listeners)).length === 1);
    await add(kind, '7', ['first']);
    await until(async () => done.length === 1);
    await rows(`select pg_terminate_backend(pid) from (${listeners}) as session`);
    await add(kind, '7', ['second']);
    await until(async () => done.length === 2);
  });

  test('a stop waits for running jobs, and requeues those that take too long without counting the attempt', async () => {
    const quick = named('test.stop-quick');
    const stuck = named('test.stop-stuck');
    const release = Promise.withResolvers<void>();
    const isAborted = Promise.withResolvers<void>();
    const worker = startWorker(
      [
        jobHandler(quick, async ({ transact }) => {
          await release.promise;
          await transact(async () => undefined);
        }),
        jobHandler(stuck, async ({ signal }) => {
          await once(signal, 'abort');
          isAborted.resolve();
        }),
      ],
      { graceMs: 300 },
    );
    await Promise.all([add(quick, '7', ['x']), add(stuck, '7', ['x'])]);
    await until(async () => (await jobsOf(quick))[0]?.['state'] === 'running');
    await until(async () => (await jobsOf(stuck))[0]?.['state'] === 'running');
    const stopping = worker.stop();
    release.resolve();
    await stopping;
    await isAborted.promise;
    assert.deepEqual(
      (await jobsOf(quick)).map((found) => found['state']),
      ['done'],
    );
    const [found] = await jobsOf(stuck);
    assert.deepEqual([found?.['state'], found?.['attempt'], found?.['worker']], ['ready', 0, null]);
  });
});
