import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { makeDatabase, urlOf } from '#test/support/world/database.ts';
import { Program, withDataFolder } from '#test/support/world/program.ts';

interface RunningImport {
  program: Program;
  /** Settles when the sender has a response or loses the connection. */
  sent: Promise<unknown>;
  /** The number of database sessions of the server that run a statement. */
  activeSessions: () => Promise<number>;
}

/** Starts a server and an import that waits for a lock, which another session holds for the whole test. */
async function withWaitingImport(work: (running: RunningImport) => Promise<void>): Promise<void> {
  const database = await makeDatabase({ template: 'template0' });
  const owner = new pg.Client(database.connection);
  await owner.connect();
  await withDataFolder(async (folder) => {
    const program = new Program({
      PARAPET_DATA_DIR: folder,
      PARAPET_DATABASE_URL: urlOf(database.connection),
      PARAPET_SETUP_ADMIN_EMAIL: 'admin@example.com',
      PARAPET_SETUP_ADMIN_PASSWORD: 'correct horse battery staple',
      PARAPET_SETUP_ORG: 'Acme',
      PARAPET_SETUP_TOKEN_FILE: join(folder, 'token'),
    });
    const baseUrl = await program.ready();
    const token = await readFile(join(folder, 'token'), 'utf8');
    const report = await readFile('test/fixtures/reports/semgrep-1.70.sarif', 'utf8');
    const send = (body: string) =>
      fetch(`${baseUrl}/api/v1/deployments/acme/imports?project=web`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body,
      });
    assert.equal((await send(report)).status, 200);
    await owner.query(
      "select pg_advisory_lock(hashtextextended('findings of ' || deployment_id || '/' || id, 0)) from project",
    );
    const activeSessions = async () =>
      (
        await owner.query(
          `select from pg_stat_activity where datname = current_database() and application_name = 'parapet-app'
             and state <> 'idle'`,
        )
      ).rows.length;
    const sent = send(`${report} `).catch(() => undefined);
    while ((await activeSessions()) === 0) await sleep(10);
    await work({ program, sent, activeSessions });
  });
  await owner.end();
  await database.drop();
}

test('a server that is stopped ends a running import, and exits', async () => {
  await withWaitingImport(async ({ program, sent, activeSessions }) => {
    assert.equal(await program.stop(), 0, program.output);
    await sent;
    while ((await activeSessions()) > 0) await sleep(50);
  });
});

test('PostgreSQL ends the statements of a server that was killed', async () => {
  await withWaitingImport(async ({ program, sent, activeSessions }) => {
    await program.stop('SIGKILL');
    await sent;
    while ((await activeSessions()) > 0) await sleep(50);
  });
});
