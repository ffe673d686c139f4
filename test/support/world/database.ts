import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import {
  closeTestServer,
  isOutside,
  openTestServer,
  outsideUrlOf,
  runStatement,
  sharedTestServer,
  type TestServer,
} from './postgres-server.ts';

export interface TestDatabase {
  /** Connects as the owner of the tables, without row-level security: for inspection, never for the code under test. */
  connection: pg.ClientConfig;
  drop(): Promise<void>;
}

let ownServer: Promise<TestServer> | undefined;

/** The database server of the test run, or one of this process if a single file is run directly. */
async function testServer(): Promise<TestServer> {
  const shared = sharedTestServer();
  if (shared) return shared;
  ownServer ??= openTestServer();
  return ownServer;
}

/** The connection URL of a database. */
export function urlOf({ host = '', port, user, database = '' }: pg.ClientConfig): string {
  if (isOutside) return outsideUrlOf(database);
  return `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
}

/** A separate database with the current schema, created in tens of milliseconds. */
export async function makeDatabase({ template }: { template?: string } = {}): Promise<TestDatabase> {
  const server = await testServer();
  const { connection } = server;
  const name = `test_${randomBytes(6).toString('hex')}`;
  await runStatement(connection, `create database ${name} template ${template ?? server.template} strategy file_copy`);
  return {
    connection: { ...connection, database: name },
    drop: async () => {
      await runStatement(connection, `drop database if exists ${name} with (force)`);
      if (ownServer) await closeTestServer(server);
    },
  };
}
