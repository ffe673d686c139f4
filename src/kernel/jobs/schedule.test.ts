import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type pg from 'pg';
import { makeLog } from '#kernel/log/log.ts';
import { type KernelDatabase, startKernelDatabase } from '#test/support/world/kernel-database.ts';
import { enqueue, job } from './job.ts';
import { jobStats } from './job-stats.ts';
import { failJob, reclaimLapsedJobs, returnJobs } from './lease.ts';
import { type LeasedJob, pickJobs, ROUND_START } from './pick-jobs.ts';
import { enqueueIfDue, every, Schedule } from './schedule.ts';
import { sweepJobs } from './sweep.ts';

let kernel: KernelDatabase;
let superuser: pg.Client;

before(async () => {
  kernel = await startKernelDatabase();
  superuser = await kernel.superuser();
});
after(() => kernel.stop());

const background = { role: 'background', isRead: false } as const;
const A_CENTURY_MS = 100 * 365 * 86_400_000;

const statesOf = async (kind: string) =>
  (await superuser.query('select state from job where kind = $1 order by id', [kind])).rows.map((row) => row.state);

async function take(kind: string): Promise<LeasedJob> {
  const request = { queue: 'main', kinds: [kind], worker: 'test', leaseMs: 0, count: 1, after: ROUND_START };
  const { picked } = await kernel.db.transaction(background, (tx) => pickJobs(tx, request));
  assert.ok(picked[0]);
  return picked[0];
}

test('many servers enqueue one job per period, and none while the last one is queued', async () => {
  const recurring = every(A_CENTURY_MS, job({ kind: 'test.recurring', payload: {} }), {});
  const made = await Promise.all(Array.from({ length: 6 }, () => enqueueIfDue(kernel.db, recurring)));
  assert.equal(made.filter(Boolean).length, 1);
  await take('test.recurring');
  assert.equal(await enqueueIfDue(kernel.db, recurring), false);
  const nextPeriod = "update job_schedule set period_at = period_at - interval '1 second'";
  await superuser.query(nextPeriod);
  assert.equal(await enqueueIfDue(kernel.db, recurring), true);
  await superuser.query(nextPeriod);
  assert.equal(await enqueueIfDue(kernel.db, recurring), false);
  assert.deepEqual(await statesOf('test.recurring'), ['running', 'ready']);
});

test('a schedule enqueues when it starts, and its stop waits for that', async () => {
  const recurring = [every(A_CENTURY_MS / 1e6, job({ kind: 'test.started', payload: {} }), {})];
  const schedule = new Schedule({ db: kernel.db, log: makeLog('silent'), recurring });
  schedule.start();
  await schedule.stop();
  assert.deepEqual(await statesOf('test.started'), ['ready']);
});

test('of several requeued jobs with one key, only one stays queued', async () => {
  await superuser.query('delete from job');
  const kind = job({ kind: 'test.keyed', payload: {} });
  const order = () =>
    kernel.db.transaction(background, (tx) => enqueue(tx, kind, { deployment: '5', payload: {}, uniqueKey: 'k' }));
  await order();
  const first = await take(kind.kind);
  await order();
  await kernel.db.transaction(background, (tx) => failJob(tx, first, { text: 'no', delayMs: 0 }));
  assert.deepEqual(await statesOf(kind.kind), ['done', 'ready']);
  const second = await take(kind.kind);
  await order();
  const third = await take(kind.kind);
  await kernel.db.transaction(background, (tx) => returnJobs(tx, [second, third]));
  assert.deepEqual(await statesOf(kind.kind), ['done', 'done', 'ready']);
  await take(kind.kind);
  await order();
  await take(kind.kind);
  await kernel.db.transaction(background, (tx) => reclaimLapsedJobs(tx));
  assert.deepEqual(await statesOf(kind.kind), ['done', 'done', 'done', 'ready']);
});

test('JOB-04: the statistics count due and dead jobs, and the age of the oldest due one', async () => {
  await superuser.query('delete from job');
  const none = await kernel.db.transaction({ role: 'background', isRead: true }, jobStats);
  assert.deepEqual(none, { ready: 0, oldestReadySeconds: 0, dead: 0 });
  await superuser.query(`insert into job (deployment_id, queue, kind, payload, max_attempts, state, run_at) values
    (1, 'main', 'test.a', '{}', 1, 'ready', now() - interval '90 seconds'),
    (2, 'main', 'test.a', '{}', 1, 'ready', now()),
    (2, 'main', 'test.a', '{}', 1, 'ready', now() + interval '1 hour'), (2, 'main', 'test.a', '{}', 1, 'dead', now())`);
  const some = await kernel.db.transaction({ role: 'background', isRead: true }, jobStats);
  assert.deepEqual([some.ready, some.dead], [2, 1]);
  assert.ok(some.oldestReadySeconds >= 90);
});

test('a sweep removes done jobs after a day and dead ones after a month', async () => {
  await superuser.query('delete from job');
  await superuser.query(`insert into job (deployment_id, queue, kind, payload, max_attempts, state, finished_at)
    select 1, 'main', 'test.' || state, '{}', 1, state, now() - hours * interval '1 hour'
    from unnest(array['done', 'dead']) as state, unnest(array[1, 25, 719, 721]) as hours`);
  assert.equal(await sweepJobs(kernel.db), 4);
  const { rows } = await superuser.query('select state, count(*)::integer from job group by state order by state');
  assert.deepEqual(rows, [
    { state: 'dead', count: 3 },
    { state: 'done', count: 1 },
  ]);
});
