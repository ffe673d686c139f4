import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { closeTestServer, inDatabase, makeTemplate, openTestServer, TEMPLATE } from './postgres-server.ts';

export interface TestDatabase {
  /** Connects as the owner of the tables, without row-level security: for inspection, never for the code under test. */
  connection: pg.ClientConfig;
  drop(): Promise<void>;
}

let ownServer: Promise<pg.ClientConfig> | undefined;

/** The database server of the test run, or one of this process if a single file is run directly. */
async function serverConnection(): Promise<pg.ClientConfig> {
  const shared = process.env['PARAPET_TEST_DATABASE'];
  if (shared) return JSON.parse(shared) as pg.ClientConfig;
  ownServer ??= (async () => {
    const connection = await openTestServer();
    await makeTemplate(connection);
    return connection;
  })();
  return ownServer;
}

/** The connection URL of a database. */
export function urlOf({ connectionString, host, port, user, database }: pg.ClientConfig): string {
  return connectionString ?? `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host ?? '')}`;
}

async function asOwner(connection: pg.ClientConfig, statement: string): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** A separate database with the current schema, created in tens of milliseconds. */
export async function makeDatabase({ template = TEMPLATE }: { template?: string } = {}): Promise<TestDatabase> {
  const connection = await serverConnection();
  const name = `test_${randomBytes(6).toString('hex')}`;
  await asOwner(connection, `create database ${name} template ${template} strategy file_copy`);
  return {
    connection: inDatabase(connection, name),
    drop: async () => {
      await asOwner(connection, `drop database if exists ${name} with (force)`);
      if (ownServer) await closeTestServer();
    },
  };
}
