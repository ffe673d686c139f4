import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { Database } from '#kernel/db/database.ts';
import { startEmbedded } from '#kernel/db/embedded/embedded-server.ts';
import { runStatement, sharedTestServer, withClient, withRoleLock } from './postgres-server.ts';

const SCHEMAS = ['db', 'audit', 'jobs'];

export interface KernelDatabase {
  connection: pg.ClientConfig;
  db: Database;
  /** A session of the superuser, to whom no policy or grant applies; closed by `stop`. */
  superuser(): Promise<pg.Client>;
  stop(): Promise<void>;
}

interface Server {
  connection: pg.ClientConfig;
  stop(): Promise<void>;
}

/** A new database with the tables of the kernel, on the server of the test run or on its own. */
export async function startKernelDatabase(settings: Record<string, string> = quick): Promise<KernelDatabase> {
  const server = await serverFor(settings);
  const name = `kernel_${randomBytes(8).toString('hex')}`;
  const connection = { ...server.connection, database: name };
  await runStatement(server.connection, `create database ${name} template template0 encoding 'UTF8'`);
  await withRoleLock(server.connection, () => withClient(connection, createTables));
  const db = new Database({ connection, poolMax: 8, onError: () => undefined });
  const clients: pg.Client[] = [];
  return {
    connection,
    db,
    async superuser() {
      const client = new pg.Client(connection);
      clients.push(client);
      await client.connect();
      return client;
    },
    async stop() {
      await Promise.all([db.close(), ...clients.map((client) => client.end())]);
      await runStatement(server.connection, `drop database ${name} with (force)`);
      await server.stop();
    },
  };
}

async function createTables(client: pg.Client): Promise<void> {
  for (const power of SCHEMAS)
    await client.query(await readFile(new URL(`../../../src/kernel/${power}/schema.sql`, import.meta.url), 'utf8'));
}

const quick = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

async function serverFor(settings: Record<string, string>): Promise<Server> {
  const shared = sharedTestServer();
  if (shared) return { connection: shared.connection, stop: async () => undefined };
  const dataFolder = await mkdtemp(join(tmpdir(), 'parapet-kernel-'));
  const server = await startEmbedded({ dataFolder, settings, log: () => undefined });
  // The server outlives the process that started it, so a failing test must stop it.
  const killServer = () => process.kill(server.pid, 'SIGQUIT');
  process.once('exit', killServer);
  return {
    connection: server.connection,
    async stop() {
      process.off('exit', killServer);
      await server.stop('immediate');
      await rm(dataFolder, { recursive: true, force: true });
    },
  };
}
