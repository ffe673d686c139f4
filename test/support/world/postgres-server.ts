import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { type EmbeddedServer, startEmbedded } from '#kernel/db/embedded/embedded-server.ts';
import { migrate, readMigrations } from '#kernel/db/migrate/migrate.ts';

/**
 * One PostgreSQL for a whole test run, with a migrated template from which each file copies its database: an embedded
 * one, or the one that PARAPET_TEST_DATABASE_URL names.
 * The runner calls globalSetup before the first file and globalTeardown after the last.
 */

export interface TestServer {
  connection: pg.ClientConfig;
  /** The database to copy. Its name is random, because several runs can share an outside server. */
  template: string;
}

const MIGRATIONS = fileURLToPath(new URL('../../../migrations', import.meta.url));

const MEMORY = '/dev/shm';
const MIN_MEMORY_BYTES = 4 * 2 ** 30;

/** A memory file system if there is one with enough space: tests create thousands of small files. */
async function folderForClusters(): Promise<string> {
  const { bavail, bsize } = await statfs(MEMORY).catch(() => ({ bavail: 0, bsize: 0 }));
  return bavail * bsize >= MIN_MEMORY_BYTES ? MEMORY : tmpdir();
}

let server: EmbeddedServer | undefined;
let folder: string | undefined;

const outsideUrl = process.env['PARAPET_TEST_DATABASE_URL'] ?? '';

/** True when the test run uses a PostgreSQL that it did not start. */
export const isOutside: boolean = outsideUrl !== '';

/** The URL of another database on the outside server, with the same credentials and parameters. */
export const outsideUrlOf = (database: string): string =>
  outsideUrl.replace(/^(\w+:\/\/[^/?]*)(\/[^?]*)?/, `$1/${database}`);

/** Why a test of the embedded PostgreSQL is skipped; false when it runs. */
export const skipOutside: string | false =
  isOutside && 'it needs the embedded PostgreSQL, and PARAPET_TEST_DATABASE_URL names another one';

async function connectToServer(): Promise<pg.ClientConfig> {
  if (isOutside) return partsOf(outsideUrl);
  folder = await mkdtemp(join(await folderForClusters(), 'parapet-test-'));
  server = await startEmbedded({
    dataFolder: folder,
    log: () => {},
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' },
  });
  return { ...server.connection, ssl: false };
}

/** The parts of a URL, so that tests can replace some; in the driver, a URL overrides everything beside it. */
function partsOf(url: string): pg.ClientConfig {
  const { host, port, user, password, database, ssl } = new pg.Client({ connectionString: url });
  return { host, port, user, database, ssl, ...(password ? { password } : {}) };
}

/** The server of the test run, which the runner passes to the files in the environment. */
export function sharedTestServer(): TestServer | undefined {
  const shared = process.env['PARAPET_TEST_DATABASE'];
  return shared === undefined ? undefined : (JSON.parse(shared) as TestServer);
}

export async function openTestServer(): Promise<TestServer> {
  const connection = await connectToServer();
  const template = `parapet_template_${randomBytes(4).toString('hex')}`;
  await runStatement(connection, `create database ${template} template template0 encoding 'UTF8'`);
  await migrate({ ...connection, database: template }, await readMigrations(MIGRATIONS));
  return { connection, template };
}

/** Leaves nothing on an outside server but the roles, which other databases on it may use. */
export async function closeTestServer({ connection, template }: TestServer): Promise<void> {
  if (server === undefined) await runStatement(connection, `drop database if exists ${template} with (force)`);
  await server?.stop('immediate');
  if (folder) await rm(folder, { recursive: true, force: true });
}

/** Runs one statement in a session of its own. */
export const runStatement = (connection: pg.ClientConfig, statement: string): Promise<void> =>
  withClient(connection, async (client) => void (await client.query(statement)));

/**
 * Runs work that grants the roles of the program. They are global to the server, and two sessions cannot grant the same
 * role concurrently. The lock is in one database for all, because advisory locks are per database.
 */
export const withRoleLock = (connection: pg.ClientConfig, work: () => Promise<void>): Promise<void> =>
  withClient({ ...connection, database: 'postgres' }, async (client) => {
    await client.query('select pg_advisory_lock(hashtext($1))', ['kernel schema']);
    await work();
  });

export async function withClient<Result>(
  connection: pg.ClientConfig,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

export async function globalSetup(): Promise<void> {
  process.env['PARAPET_TEST_DATABASE'] = JSON.stringify(await openTestServer());
}

export async function globalTeardown(): Promise<void> {
  const opened = sharedTestServer();
  if (opened) await closeTestServer(opened);
}
