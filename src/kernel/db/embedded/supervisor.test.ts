import assert from 'node:assert/strict';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import fc from 'fast-check';
import pg from 'pg';
import { Database } from '#kernel/db/database.ts';
import { type EmbeddedServer, startEmbedded } from '#kernel/db/embedded/embedded-server.ts';
import { InstanceLock, InstanceTaken } from '#kernel/db/embedded/instance-lock.ts';
import { EmbeddedSupervisor, restartDelayMs } from '#kernel/db/embedded/supervisor.ts';
import { waitUntil } from '#test/support/wait.ts';

const settings = { fsync: 'off' };
const lines: string[] = [];
let folder: string;

const options = () => ({ dataFolder: folder, settings, log: (line: string) => lines.push(line) });

async function query(supervisor: EmbeddedSupervisor, text: string): Promise<unknown> {
  const client = new pg.Client({ ...supervisor.connection, ssl: false });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<unknown[]>({ text, rowMode: 'array' });
    return rows[0]?.[0];
  } finally {
    await client.end();
  }
}

/** Kills the server with SIGKILL and returns the pid of the restarted one. */
async function killAndAwait(supervisor: EmbeddedSupervisor): Promise<number> {
  const before = supervisor.pid ?? 0;
  process.kill(before, 'SIGKILL');
  await waitUntil(() => supervisor.pid !== undefined && supervisor.pid !== before);
  return supervisor.pid ?? 0;
}

async function isRunning(): Promise<boolean> {
  const probe = await startEmbedded(options());
  if (!probe.adopted) await probe.stop('immediate');
  return probe.adopted;
}

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parapet-supervisor-'));
  const first = await startEmbedded(options());
  await first.stop('fast');
});

beforeEach(() => {
  lines.length = 0;
});

after(async () => {
  const left: EmbeddedServer = await startEmbedded(options());
  await left.stop('immediate');
  await rm(left.dataFolder, { recursive: true, force: true });
  await rm(folder, { recursive: true, force: true });
});

test('restarts a killed PostgreSQL with all committed data and logs it', async () => {
  const supervisor = await EmbeddedSupervisor.start(options());
  await query(supervisor, 'create table kept as select 42 as value');
  const killed = supervisor.pid;
  const next = await killAndAwait(supervisor);
  assert.equal(await query(supervisor, 'select value from kept'), 42);
  assert.ok(lines.some((line) => line.includes(`(pid ${killed}) ended unexpectedly`)));
  assert.ok(lines.includes(`PostgreSQL runs again (pid ${next})`));
  await killAndAwait(supervisor);
  await supervisor.stop('immediate');
});

test('supervises a server that was already running', async () => {
  const found = await startEmbedded(options());
  const supervisor = await EmbeddedSupervisor.start(options());
  assert.deepEqual([supervisor.adopted, supervisor.pid], [true, found.pid]);
  await killAndAwait(supervisor);
  assert.equal(await query(supervisor, 'select 1'), 1);
  await supervisor.stop('immediate');
});

test('a stopped server stays stopped and a released one keeps running', async () => {
  const supervisor = await EmbeddedSupervisor.start(options());
  await supervisor.stop('fast');
  assert.equal(await isRunning(), false);
  const other = await EmbeddedSupervisor.start(options());
  await other.release();
  assert.equal(await isRunning(), true);
  const again = await EmbeddedSupervisor.start(options());
  await again.stop('immediate');
  assert.ok(!lines.some((line) => line.includes('unexpectedly')));
});

test('stopping during a restart leaves nothing running', async () => {
  const supervisor = await EmbeddedSupervisor.start(options());
  process.kill(supervisor.pid ?? 0, 'SIGKILL');
  await waitUntil(() => supervisor.pid === undefined);
  await supervisor.stop('immediate');
  assert.equal(await isRunning(), false);
});

test('a failed start is retried until it succeeds', async () => {
  const supervisor = await EmbeddedSupervisor.start(options());
  // Without this folder the server cannot start, as on a disk that is temporarily unavailable.
  const cluster = join(folder, 'postgres', 'global');
  const was = supervisor.pid ?? 0;
  await rename(cluster, `${cluster}.away`);
  process.kill(was, 'SIGKILL');
  await waitUntil(() =>
    lines.some((line) => /did not start \(2 failures in a row\), the next attempt is in 200 ms/.test(line)),
  );
  await rename(`${cluster}.away`, cluster);
  await waitUntil(() => supervisor.pid !== undefined);
  assert.equal(await query(supervisor, 'select 1'), 1);
  await supervisor.stop('immediate');
});

test('pools and the instance lock reconnect by themselves', async () => {
  const supervisor = await EmbeddedSupervisor.start(options());
  const connection = { ...supervisor.connection, ssl: false };
  await query(supervisor, 'drop role if exists parapet_background');
  await query(supervisor, 'create role parapet_background');
  const lock = await InstanceLock.take(connection);
  const db = new Database({ connection, poolMax: 2, onError: () => undefined });
  const ask = () => db.transaction({ role: 'background', isRead: true }, (tx) => tx.rows`select 1 as one`);
  await ask();
  await killAndAwait(supervisor);
  await waitUntil(() =>
    ask().then(
      () => true,
      () => false,
    ),
  );
  await waitUntil(() =>
    InstanceLock.take(connection).then(
      (stolen) => stolen.release().then(() => false),
      (error) => error instanceof InstanceTaken,
    ),
  );
  await db.close();
  await lock.release();
  await supervisor.stop('immediate');
});

test('the delay between attempts grows up to a maximum', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 200 }), (failures) => {
      assert.ok(restartDelayMs(failures) <= restartDelayMs(failures + 1));
      assert.ok(restartDelayMs(failures + 1) >= 100 && restartDelayMs(failures) <= 5000);
    }),
  );
});
