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

async function query(keeper: EmbeddedSupervisor, text: string): Promise<unknown> {
  const client = new pg.Client({ ...keeper.connection, ssl: false });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<unknown[]>({ text, rowMode: 'array' });
    return rows[0]?.[0];
  } finally {
    await client.end();
  }
}

/** Kills the server as the system might, and gives the pid of the one that is there afterwards. */
async function killAndAwait(keeper: EmbeddedSupervisor): Promise<number> {
  const before = keeper.pid ?? 0;
  process.kill(before, 'SIGKILL');
  await waitUntil(() => keeper.pid !== undefined && keeper.pid !== before);
  return keeper.pid ?? 0;
}

async function isRunning(): Promise<boolean> {
  const probe = await startEmbedded(options());
  if (!probe.adopted) await probe.stop('immediate');
  return probe.adopted;
}

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parapet-keeper-'));
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

test('a PostgreSQL that is killed is started again, with what was committed, and says so', async () => {
  const keeper = await EmbeddedSupervisor.start(options());
  await query(keeper, 'create table kept as select 42 as value');
  const killed = keeper.pid;
  const next = await killAndAwait(keeper);
  assert.equal(await query(keeper, 'select value from kept'), 42);
  assert.ok(lines.some((line) => line.includes(`(pid ${killed}) ended unexpectedly`)));
  assert.ok(lines.includes(`PostgreSQL runs again (pid ${next})`));
  await killAndAwait(keeper);
  await keeper.stop('immediate');
});

test('one that was found running is kept as well', async () => {
  const found = await startEmbedded(options());
  const keeper = await EmbeddedSupervisor.start(options());
  assert.deepEqual([keeper.adopted, keeper.pid], [true, found.pid]);
  await killAndAwait(keeper);
  assert.equal(await query(keeper, 'select 1'), 1);
  await keeper.stop('immediate');
});

test('one that is stopped stays stopped, and one that is let go goes on', async () => {
  const keeper = await EmbeddedSupervisor.start(options());
  await keeper.stop('fast');
  assert.equal(await isRunning(), false);
  const other = await EmbeddedSupervisor.start(options());
  await other.release();
  assert.equal(await isRunning(), true);
  const again = await EmbeddedSupervisor.start(options());
  await again.stop('immediate');
  assert.ok(!lines.some((line) => line.includes('nobody stopped')));
});

test('a stop that falls into a restart leaves nothing running', async () => {
  const keeper = await EmbeddedSupervisor.start(options());
  process.kill(keeper.pid ?? 0, 'SIGKILL');
  await waitUntil(() => keeper.pid === undefined);
  await keeper.stop('immediate');
  assert.equal(await isRunning(), false);
});

test('a start that fails is tried again until it goes well', async () => {
  const keeper = await EmbeddedSupervisor.start(options());
  // Without this file the server cannot read what it needs, as on a disk that is away for a moment.
  const cluster = join(folder, 'postgres', 'global');
  const was = keeper.pid ?? 0;
  await rename(cluster, `${cluster}.away`);
  process.kill(was, 'SIGKILL');
  await waitUntil(() => lines.some((line) => /did not start \(2 in a row\), the next try is in 200 ms/.test(line)));
  await rename(`${cluster}.away`, cluster);
  await waitUntil(() => keeper.pid !== undefined);
  assert.equal(await query(keeper, 'select 1'), 1);
  await keeper.stop('immediate');
});

test('pools and the lock of the instance come back by themselves', async () => {
  const keeper = await EmbeddedSupervisor.start(options());
  const connection = { ...keeper.connection, ssl: false };
  await query(keeper, 'drop role if exists parapet_background');
  await query(keeper, 'create role parapet_background');
  const lock = await InstanceLock.take(connection);
  const db = new Database({ connection, poolMax: 2, onError: () => undefined });
  const ask = () => db.transaction({ role: 'background', isRead: true }, (tx) => tx.rows`select 1 as one`);
  await ask();
  await killAndAwait(keeper);
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
  await keeper.stop('immediate');
});

test('the pause between tries grows and has an end', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 200 }), (failures) => {
      assert.ok(restartDelayMs(failures) <= restartDelayMs(failures + 1));
      assert.ok(restartDelayMs(failures + 1) >= 100 && restartDelayMs(failures) <= 5000);
    }),
  );
});
