import { z } from 'zod';
import { type JobHandler, jobHandler } from '#kernel/jobs/handler.ts';
import { enqueue, enqueueAll, type JobKind, job } from '#kernel/jobs/job.ts';
import { JobWorker } from '#kernel/jobs/worker.ts';
import { makeLog } from '#kernel/log/log.ts';
import { type KernelDatabase, startKernelDatabase } from '#test/support/world/kernel-database.ts';

const JOBS = 10_000;
const DEPLOYMENTS = 10;
const ORDERS = 2000;
const BACKLOG = 100_000;
const CONCURRENCY = 32;

/** How fast jobs are enqueued and run, and how long a few wait beside many; on a disk with fsync. */
export async function benchJobs(): Promise<Record<string, number>> {
  const kernel = await startKernelDatabase({});
  try {
    const effect = await kernel.superuser();
    await effect.query('create table effect (name text); grant insert on effect to parapet_app');
    return {
      transactedPerSecond: await done(kernel, 'bench.transact', (kind) =>
        jobHandler(
          kind,
          async ({ transact }) => void (await transact((tx) => tx.run`insert into effect values ('done')`)),
        ),
      ),
      returnedPerSecond: await done(kernel, 'bench.return', (kind) => jobHandler(kind, async () => undefined)),
      urgentOrdersPerSecond: await ordered(kernel, true),
      patientOrdersPerSecond: await ordered(kernel, false),
      fewBesideManySeconds: await fewBesideMany(kernel),
    };
  } finally {
    await kernel.stop();
  }
}

const kindOf = (kind: string, isUrgent = false) => job({ kind, payload: { name: z.string() }, isUrgent });
type Kind = ReturnType<typeof kindOf>;

const add = ({ db }: KernelDatabase, kind: Kind, deployment: string, count: number) =>
  db.transaction({ role: 'app', deployment, isRead: false }, (tx) =>
    enqueueAll(tx, kind, new Array(count).fill({ deployment, payload: { name: 'x' } })),
  );

const workerOf = ({ db, connection }: KernelDatabase, one: JobHandler) =>
  new JobWorker({
    db,
    connection,
    handlers: [one],
    log: makeLog('silent'),
    workerId: 'bench',
    concurrency: CONCURRENCY,
  });

const perSecond = (count: number, start: number) => Math.round((count * 1000) / (performance.now() - start));

async function done(kernel: KernelDatabase, name: string, make: (kind: Kind) => JobHandler): Promise<number> {
  const kind = kindOf(name);
  for (let deployment = 1; deployment <= DEPLOYMENTS; deployment++)
    await add(kernel, kind, String(deployment), JOBS / DEPLOYMENTS);
  const worker = workerOf(kernel, make(kind));
  const start = performance.now();
  worker.start();
  await untilNoneLeft(kernel, kind);
  const result = perSecond(JOBS, start);
  await worker.stop();
  return result;
}

async function untilNoneLeft(kernel: KernelDatabase, kind: JobKind): Promise<void> {
  const superuser = await kernel.superuser();
  const isLeft = async () => {
    const text = "select from job where kind = $1 and state in ('ready', 'running') limit 1";
    return (await superuser.query(text, [kind.kind])).rowCount !== 0;
  };
  while (await isLeft()) await new Promise((resolve) => setTimeout(resolve, 50));
}

async function ordered({ db }: KernelDatabase, isUrgent: boolean): Promise<number> {
  const kind = kindOf(isUrgent ? 'bench.urgent' : 'bench.patient', isUrgent);
  const order = { deployment: '1', payload: { name: 'x' } };
  const start = performance.now();
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let count = 0; count < ORDERS / 8; count++)
        await db.transaction({ role: 'app', deployment: '1', isRead: false }, (tx) => enqueue(tx, kind, order));
    }),
  );
  return perSecond(ORDERS, start);
}

async function fewBesideMany(kernel: KernelDatabase): Promise<number> {
  const kind = kindOf('bench.fair');
  await add(kernel, kind, '1', BACKLOG);
  await add(kernel, kind, '2', 10);
  const last = Promise.withResolvers<void>();
  let left = 10;
  const noting = jobHandler(kind, async ({ deployment, transact }) => {
    await transact(async () => undefined);
    if (deployment === '2' && --left === 0) last.resolve();
  });
  const worker = workerOf(kernel, noting);
  const start = performance.now();
  worker.start();
  await last.promise;
  const seconds = (performance.now() - start) / 1000;
  await worker.stop();
  return Math.round(seconds * 1000) / 1000;
}
