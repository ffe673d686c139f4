import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { type EmbeddedServer, startEmbedded } from '#kernel/db/embedded/embedded-server.ts';
import { EmbeddedUnavailable } from '#kernel/db/embedded/embedded-unavailable.ts';
import { InstanceLock, InstanceTaken } from '#kernel/db/embedded/instance-lock.ts';
import { waitUntil } from '#test/support/wait.ts';

const MODULE = import.meta.resolve('#kernel/db/embedded/instance-lock.ts');
let dataFolder: string;
let server: EmbeddedServer;

before(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'parapet-lock-'));
  server = await startEmbedded({ dataFolder, settings: { fsync: 'off' }, log: () => undefined });
});

after(async () => {
  await server.stop('immediate');
  await rm(server.dataFolder, { recursive: true, force: true });
  await rm(dataFolder, { recursive: true, force: true });
});

async function takeElsewhere(): Promise<ChildProcess> {
  const script = `
    const { InstanceLock } = await import(${JSON.stringify(MODULE)});
    await InstanceLock.take(${JSON.stringify(server.connection)});
    console.log('taken');`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new AbortController();
  child.once('exit', () => ended.abort());
  await once(child.stdout, 'data', { signal: ended.signal });
  return child;
}

test('a second server is refused with the pid of the first, until the first releases the lock', async () => {
  const first = await InstanceLock.take(server.connection);
  await assert.rejects(InstanceLock.take(server.connection), (error) => {
    assert.ok(error instanceof InstanceTaken && error instanceof EmbeddedUnavailable);
    assert.match(
      error.message,
      new RegExp(`^Another Parapet server \\(pid ${process.pid}\\) already uses this data folder`),
    );
    return true;
  });
  await first.release();
  const second = await InstanceLock.take(server.connection);
  await second.release();
});

test('the end of the process releases the lock', async () => {
  const child = await takeElsewhere();
  await assert.rejects(InstanceLock.take(server.connection), new RegExp(`pid ${child.pid}`));
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
  const lock = await InstanceLock.take(server.connection);
  await lock.release();
});

test('of many servers that start at the same time, exactly one gets the lock', async () => {
  const outcomes = await Promise.allSettled([1, 2, 3, 4].map(() => InstanceLock.take(server.connection)));
  const winners = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  assert.equal(winners.length, 1);
  await Promise.all(winners.map((lock) => lock.release()));
});

test('a lock whose session was terminated is taken again', async () => {
  const lock = await InstanceLock.take(server.connection);
  const client = new pg.Client({ ...server.connection, ssl: false });
  await client.connect();
  const holders = async () => {
    const { rows } = await client.query<{ pid: number }>(
      `select pid from pg_locks join pg_stat_activity using (pid)
       where locktype = 'advisory' and granted and application_name = $1`,
      [`parapet-server:${process.pid}`],
    );
    return rows.map(({ pid }) => pid);
  };
  const [before] = await holders();
  await client.query('select pg_terminate_backend($1)', [before]);
  await waitUntil(async () => {
    const [now] = await holders();
    return now !== undefined && now !== before;
  });
  await client.end();
  await lock.release();
});
