import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { type EmbeddedServer, startEmbedded } from '#kernel/db/embedded/embedded-server.ts';
import { migrate, readMigrations } from '#kernel/db/migrate/migrate.ts';

/**
 * One PostgreSQL for a whole test run, with a migrated template from which each file copies its database.
 * The runner calls globalSetup before the first file and globalTeardown after the last.
 */

export const TEMPLATE = 'parapet_template';
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

export async function openTestServer(): Promise<pg.ClientConfig> {
  const url = process.env['PARAPET_DATABASE_URL'];
  if (url) return { connectionString: url };
  folder = await mkdtemp(join(await folderForClusters(), 'parapet-test-'));
  server = await startEmbedded({
    dataFolder: folder,
    log: () => {},
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' },
  });
  return { ...server.connection, ssl: false };
}

export async function closeTestServer(): Promise<void> {
  await server?.stop('immediate');
  if (folder) await rm(folder, { recursive: true, force: true });
}

export const inDatabase = (connection: pg.ClientConfig, database: string): pg.ClientConfig => {
  if (connection.connectionString === undefined) return { ...connection, database };
  const url = new URL(connection.connectionString);
  url.pathname = `/${database}`;
  return { connectionString: url.href };
};

export async function makeTemplate(connection: pg.ClientConfig): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  await client.query(`drop database if exists ${TEMPLATE} with (force)`);
  await client.query(`create database ${TEMPLATE}`);
  await client.end();
  await migrate(inDatabase(connection, TEMPLATE), await readMigrations(MIGRATIONS));
}

export async function globalSetup(): Promise<void> {
  const connection = await openTestServer();
  await makeTemplate(connection);
  process.env['PARAPET_TEST_DATABASE'] = JSON.stringify(connection);
}

export async function globalTeardown(): Promise<void> {
  await closeTestServer();
}
