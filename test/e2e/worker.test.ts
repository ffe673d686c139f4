import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { client } from '#kernel/contract/client.ts';
import * as demo from '#services/demo/contract.ts';
import * as sessions from '#services/sessions/contract.ts';
import { waitFor, waitUntil } from '#test/support/wait.ts';
import { makeDatabase, urlOf } from '#test/support/world/database.ts';
import { Program, withDataFolder } from '#test/support/world/program.ts';

/** Background jobs in processes of their own, on a database that several programs share. */

const ADMIN = { email: 'admin@example.com', password: 'correct horse battery staple' };

interface SharedPlace {
  settings: Record<string, string>;
  /** Runs a statement as the owner of the tables. */
  ask<Row extends object>(text: string): Promise<Row[]>;
}

async function withSharedDatabase(work: (place: SharedPlace) => Promise<void>): Promise<void> {
  const database = await makeDatabase();
  const owner = new pg.Client(database.connection);
  await owner.connect();
  try {
    await withDataFolder((folder) =>
      work({
        settings: {
          PARAPET_DATA_DIR: folder,
          PARAPET_DATABASE_URL: urlOf(database.connection),
          PARAPET_SETUP_ADMIN_EMAIL: ADMIN.email,
          PARAPET_SETUP_ADMIN_PASSWORD: ADMIN.password,
        },
        ask: async <Row extends object>(text: string) => (await owner.query<Row>(text)).rows,
      }),
    );
  } finally {
    await owner.end();
    await database.drop();
  }
}

const workerPid = (program: Program, index = 0) =>
  waitFor(() => {
    const found = [...program.output.matchAll(/"worker":(\d+),"msg":"started the worker process"/g)][index];
    return found && Number(found[1]);
  }, program.output);

const jobsOf = (place: SharedPlace, kind: string) =>
  place.ask<{ state: string; attempt: number }>(`select state, attempt from job where kind = '${kind}' order by id`);

/** Waits until a session of a job waits for a lock on this table. */
const untilBlockedOn = (place: SharedPlace, table: string) =>
  waitUntil(async () => {
    const waiting = await place.ask(`select from pg_locks where not granted and relation = '${table}'::regclass`);
    return waiting.length > 0;
  }, 'no session waits for the table');

test('a job of a request runs in the worker process, and a worker killed in the middle of it is replaced', async () => {
  await withSharedDatabase(async (place) => {
    const server = new Program({ ...place.settings, PARAPET_JOBS: 'worker' });
    const baseUrl = await server.ready();
    const pid = await workerPid(server);
    assert.notEqual(pid, server.child.pid);
    const signedIn = await client(sessions, { baseUrl }).createSession({ body: ADMIN });
    const api = client(demo, { baseUrl, token: signedIn.body.accessToken });
    await place.ask('begin; lock table finding in share mode');
    const created = await api.createDemo({ body: {} });
    assert.equal(created.status, 202, JSON.stringify(created.body));
    await untilBlockedOn(place, 'finding');
    process.kill(pid, 'SIGKILL');
    await waitUntil(() => server.output.includes('The worker process ended and is started again.'));
    await place.ask('commit');
    assert.deepEqual(await jobsOf(place, 'demo.load'), [{ state: 'running', attempt: 1 }]);
    // Nobody renews the lease, so it expires; the test does not wait for that.
    await place.ask("update job set lease_until = now() - interval '1 second' where kind = 'demo.load'");
    assert.notEqual(await workerPid(server, 1), pid);
    await waitUntil(async () => (await jobsOf(place, 'demo.load'))[0]?.attempt === 2, server.output);
    // The loader stops early when its demo is gone.
    const removed = await api.deleteDemo({ path: { deploymentId: created.body.deploymentId } });
    assert.equal(removed.status, 200, JSON.stringify(removed.body));
    await waitUntil(async () => (await jobsOf(place, 'demo.load'))[0]?.state === 'done', server.output);
    assert.deepEqual(await jobsOf(place, 'demo.load'), [{ state: 'done', attempt: 2 }]);
    assert.match(server.output, /"process":"worker".*The worker of this job stopped or hung/);
    assert.equal(await server.stop(), 0, server.output);
  });
});

test('a server without jobs leaves them to workers, and a worker that is told to stop finishes its jobs', async () => {
  await withSharedDatabase(async (place) => {
    const server = new Program(place.settings, ['serve', '--no-jobs']);
    await server.ready();
    assert.deepEqual(await place.ask('select kind from job'), []);
    await place.ask('begin; lock table idempotency in access exclusive mode');
    const worker = new Program(place.settings, ['worker']);
    await waitUntil(() => worker.output.includes('\nparapet worker ready\n'), worker.output);
    await untilBlockedOn(place, 'idempotency');
    worker.child.kill('SIGTERM');
    await waitUntil(() => worker.output.includes('SIGTERM: finishing running jobs'), worker.output);
    await place.ask('commit');
    assert.equal(await worker.exited, 0, worker.output);
    assert.deepEqual(await jobsOf(place, 'server.forget'), [{ state: 'done', attempt: 1 }]);
    assert.deepEqual(await place.ask("select from job where state = 'running'"), []);
    assert.deepEqual(await place.ask('select id from node').then((nodes) => nodes.length), 1);
    assert.equal(await server.stop(), 0, server.output);
  });
});

test('with the embedded PostgreSQL, stopping or killing a server ends its worker', async () => {
  const isRunning = (pid: number) => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  await withDataFolder(async (_, place) => {
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      const server = new Program({ ...place, PARAPET_JOBS: 'worker' });
      await server.ready();
      const pid = await workerPid(server);
      await waitUntil(() => /"process":"worker".*"msg":"takes jobs"/.test(server.output), server.output);
      await server.stop(signal);
      await waitUntil(() => !isRunning(pid), server.output);
    }
  });
});

test('a worker without a running server says what to do, and creates no key', async () => {
  await withDataFolder(async (folder) => {
    const alone = new Program({ PARAPET_DATA_DIR: folder }, ['worker']);
    assert.equal(await alone.exited, 5);
    assert.match(alone.output, /No server runs on the data folder .* Start one with `parapet serve`/);
  });
  await withSharedDatabase(async (place) => {
    const keyless = new Program(place.settings, ['worker']);
    assert.equal(await keyless.exited, 1, keyless.output);
    assert.match(keyless.output, /There is no encryption key in .* Set PARAPET_MASTER_KEY to the key of the servers/);
  });
});
