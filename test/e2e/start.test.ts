import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile, rename, stat, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { client } from '#kernel/contract/client.ts';
import * as misc from '#services/misc/contract.ts';
import * as sessions from '#services/sessions/contract.ts';
import * as teams from '#services/teams/contract.ts';
import { makeDatabase, urlOf } from '#test/support/world/database.ts';
import { skipOutside } from '#test/support/world/postgres-server.ts';
import { type DataPlace, Program, withDataFolder } from '#test/support/world/program.ts';

const PASSWORD = 'correct horse battery staple';
const settled = (place: DataPlace, more: Record<string, string> = {}) => ({
  ...place,
  PARAPET_SETUP_ADMIN_EMAIL: 'admin@example.com',
  PARAPET_SETUP_ADMIN_PASSWORD: PASSWORD,
  PARAPET_SETUP_ORG: 'Acme',
  PARAPET_SETUP_TOKEN_FILE: join(place.PARAPET_DATA_DIR, 'token'),
  ...more,
});

const pidFileIn = (folder: string) => join(folder, 'postgres', 'postmaster.pid');

const assertNoDatabase = (folder: string, { output }: Program) =>
  assert.rejects(stat(pidFileIn(folder)), { code: 'ENOENT' }, output);

async function listTeams(baseUrl: string, folder: string) {
  const token = await readFile(join(folder, 'token'), 'utf8');
  return client(teams, { baseUrl, token }).listDeploymentTeams({ path: { deploymentId: 'acme' }, body: {} });
}

test('the first run prints a one-time link that creates the first administrator', async () => {
  await withDataFolder(async (_, place) => {
    const program = new Program(place);
    const baseUrl = await program.ready();
    const token = /\/setup#t=(\S+)/.exec(program.output)?.[1] ?? '';
    const body = { email: 'ada@example.com', password: PASSWORD, name: 'Ada', deploymentName: 'Acme' };
    const sessionsApi = client(sessions, { baseUrl });
    const wrong = await sessionsApi.setUp({ body: { ...body, setupToken: `${token}x` } });
    assert.deepEqual([wrong.status, wrong.problem.code], [403, 'SETUP_REFUSED']);
    const right = await sessionsApi.setUp({ body: { ...body, setupToken: token } });
    assert.equal(right.status, 200, JSON.stringify(right.body));
    const again = await sessionsApi.setUp({ body: { ...body, setupToken: token } });
    assert.equal(again.status, 403);
    const listed = await client(teams, { baseUrl, token: right.body.accessToken }).listDeploymentTeams({
      path: { deploymentId: 'acme' },
      body: {},
    });
    assert.deepEqual(
      listed.body.teams.map(({ name }) => name),
      ['Acme'],
    );
    assert.equal(await program.stop(), 0, program.output);
    const second = new Program(place);
    await second.ready();
    assert.doesNotMatch(second.output, /setup#t=/);
    assert.equal(await second.stop('SIGINT'), 0, second.output);
  });
});

test('settings alone set up the server, write the token to a file that only the owner can read, and leave a sealed audit chain', async () => {
  await withDataFolder(async (folder, place) => {
    const first = new Program(settled(place));
    assert.equal((await listTeams(await first.ready(), folder)).status, 200);
    const { mode, mtimeMs } = await stat(join(folder, 'token'));
    assert.equal(mode & 0o777, 0o600);
    await first.stop();
    const verify = new Program(place, ['verify']);
    assert.equal(await verify.exited, 0, verify.output);
    assert.match(verify.output, /✓ deployment 0: [1-9]\d* records/);
    const second = new Program(settled(place, { PARAPET_SETUP_ADMIN_PASSWORD: 'another long password' }));
    const baseUrl = await second.ready();
    assert.equal((await stat(join(folder, 'token'))).mtimeMs, mtimeMs);
    const signIn = await client(sessions, { baseUrl }).createSession({
      body: { email: 'Admin@Example.com', password: PASSWORD },
    });
    assert.equal(signIn.status, 200);
    await second.stop();
  });
});

test('a second server on the same data folder exits with a clear message', { skip: skipOutside }, async () => {
  await withDataFolder(async (folder, place) => {
    const first = new Program(settled(place));
    const baseUrl = await first.ready();
    const second = new Program(settled(place));
    assert.notEqual(await second.exited, 0);
    assert.match(second.output, /Another Parapet server/);
    assert.equal((await listTeams(baseUrl, folder)).status, 200);
    assert.equal(await first.stop(), 0);
  });
});

test('after kill -9, the next start finds every acknowledged write', async () => {
  await withDataFolder(async (folder, place) => {
    const first = new Program(settled(place));
    const token = await first.ready().then(() => readFile(join(folder, 'token'), 'utf8'));
    const made = await client(teams, { baseUrl: await first.ready(), token }).createDeploymentTeam({
      path: { deploymentId: 'acme' },
      body: { team: { name: 'Survivors' } },
    });
    assert.equal(made.status, 200);
    await first.stop('SIGKILL');
    const second = new Program(settled(place));
    const { body } = await listTeams(await second.ready(), folder);
    assert.deepEqual(
      body.teams.map(({ name }) => name),
      ['Acme', 'Survivors'],
    );
    assert.equal(await second.stop(), 0, second.output);
  });
});

test('all invalid settings are reported at once, each with its value and the allowed values', async () => {
  const program = new Program({ PARAPET_PORT: 'abc', PARAPET_LOG_LEVEL: 'loud', PARAPET_BASE_URL: 'ftp://x' });
  assert.notEqual(await program.exited, 0);
  assert.match(program.output, /PARAPET_PORT is "abc"; allowed: 0 to 65535/);
  assert.match(program.output, /PARAPET_LOG_LEVEL is "loud"; allowed: trace, debug/);
  assert.match(program.output, /PARAPET_BASE_URL is "ftp:\/\/x"/);
});

test('a start with another encryption key fails and changes nothing (SEC-08)', async () => {
  await withDataFolder(async (folder, place) => {
    const first = new Program(settled(place));
    await first.ready();
    await first.stop();
    const key = await readFile(join(folder, 'keys', 'master.key'));
    const other = new Program(
      settled(place, { PARAPET_MASTER_KEY: Buffer.from('0123456789abcdef0123456789abcdef').toString('hex') }),
    );
    assert.notEqual(await other.exited, 0);
    assert.match(other.output, /is not the one that this database was made with/);
    await assertNoDatabase(folder, other);
    await writeFile(join(folder, 'keys', 'master.key'), key);
    const again = new Program(settled(place));
    assert.equal((await listTeams(await again.ready(), folder)).status, 200);
    await again.stop();
  });
});

test('a start without the encryption key of the database fails, writes no key and migrates nothing (SEC-08)', async () => {
  const database = await makeDatabase({ template: 'template0' });
  const owner = new pg.Client(database.connection);
  await withDataFolder(async (folder) => {
    const settings = settled({ PARAPET_DATA_DIR: folder, PARAPET_DATABASE_URL: urlOf(database.connection) });
    const first = new Program(settings);
    await first.ready();
    await first.stop();
    await owner.connect();
    // As if migrations were pending: applying the first one again would fail with another message.
    await owner.query('alter table migration rename to applied');
    const keyFile = join(folder, 'keys', 'master.key');
    const backup = join(folder, 'backup.key');
    await rename(keyFile, backup);
    for (const command of ['serve', 'demo', 'verify']) {
      const started = new Program(settings, [command]);
      assert.notEqual(await started.exited, 0);
      assert.match(started.output, /The encryption key of this database \([0-9a-f]{8}\) is missing/);
      assert.match(started.output, /Restore the file from a backup/);
      assert.doesNotMatch(started.output, /encryption key written|\n {4}at /);
      await assert.rejects(stat(keyFile), { code: 'ENOENT' });
    }
    const { rows } = await owner.query("select to_regclass('migration') as name");
    assert.deepEqual(rows, [{ name: null }]);
    await owner.query('alter table applied rename to migration');
    await owner.end();
    await rename(backup, keyFile);
    const again = new Program(settings);
    assert.equal((await listTeams(await again.ready(), folder)).status, 200);
    await again.stop();
  });
  await database.drop();
});

test('a start that fails late stops the PostgreSQL that it started, and prints the reason without a stack trace', async () => {
  await withDataFolder(async (folder, place) => {
    await using neighbour = createServer().listen(0, '127.0.0.1');
    await once(neighbour, 'listening');
    const { port } = neighbour.address() as AddressInfo;
    const program = new Program(settled(place, { PARAPET_PORT: String(port) }));
    assert.equal(await program.exited, 1);
    assert.match(program.output, new RegExp(`cannot start:\\nPort ${port} on 127.0.0.1 is in use by another program`));
    assert.doesNotMatch(program.output, /\n {4}at |a database connection was lost/);
    await assertNoDatabase(folder, program);
  });
});

test('a killed PostgreSQL is restarted under the running server, and the server stops cleanly if it was just killed', {
  skip: skipOutside,
}, async () => {
  await withDataFolder(async (folder, place) => {
    const program = new Program(settled(place));
    const baseUrl = await program.ready();
    const pid = async () => Number.parseInt(await readFile(pidFileIn(folder), 'utf8'), 10);
    // The file may still name the process that was killed before.
    const kill = async () => {
      for (const last = Date.now() + 60_000; ; await sleep(20))
        try {
          return process.kill(await pid(), 'SIGKILL');
        } catch (error) {
          if (Date.now() > last) throw error;
        }
    };
    await kill();
    const deadline = Date.now() + 120_000;
    let answer = await listTeams(baseUrl, folder);
    for (; answer.status !== 200 && Date.now() < deadline; answer = await listTeams(baseUrl, folder)) await sleep(20);
    assert.equal(answer.status, 200, program.output);
    // The line follows the first connection, so a request may be answered before it.
    while (!/PostgreSQL runs again/.test(program.output) && Date.now() < deadline) await sleep(20);
    assert.match(program.output, /PostgreSQL runs again/);
    await kill();
    assert.equal(await program.stop(), 0, program.output);
    await assertNoDatabase(folder, program);
  });
});

test('PARAPET_DATABASE_URL selects another PostgreSQL, and a newer schema is refused', async () => {
  const database = await makeDatabase({ template: 'template0' });
  const url = urlOf(database.connection);
  await withDataFolder(async (folder, place) => {
    const program = new Program(settled(place, { PARAPET_DATABASE_URL: url }));
    const baseUrl = await program.ready();
    assert.equal((await listTeams(baseUrl, folder)).status, 200);
    const ready = await client(misc, { baseUrl }).readinessCheck({});
    assert.deepEqual(ready.body, { status: 'ready', ready: true });
    assert.equal(await program.stop(), 0);
    const owner = new pg.Client(database.connection);
    await owner.connect();
    await owner.query("insert into migration (name, kind, digest) values ('9999_future.sql', 'contract', 'x')");
    await owner.end();
    const older = new Program(settled(place, { PARAPET_DATABASE_URL: url }));
    assert.notEqual(await older.exited, 0);
    assert.match(older.output, /9999_future\.sql, which this version of Parapet does not know/);
  });
  await database.drop();
});
