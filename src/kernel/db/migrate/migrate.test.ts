import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { makeDatabase, type TestDatabase } from '#test/support/world/database.ts';
import {
  type Migration,
  type MigrationKind,
  migrate,
  readMigrations,
  requireServerVersion,
  SchemaMismatch,
} from './migrate.ts';

let database: TestDatabase;
before(async () => {
  database = await makeDatabase({ template: 'template0' });
});
after(() => database.drop());

const migration = (name: string, text: string, kind: MigrationKind = 'expand'): Migration => ({
  name,
  kind,
  text,
  digest: createHash('sha256').update(text).digest('hex'),
});

async function tables(): Promise<string[]> {
  const client = new pg.Client(database.connection);
  await client.connect();
  const { rows } = await client.query<{ name: string }>(
    "select table_name as name from information_schema.tables where table_schema = 'public' order by 1",
  );
  await client.end();
  return rows.map(({ name }) => name);
}

const FIRST = [migration('0001_a.sql', 'create table a (id int)'), migration('0002_b.sql', 'create table b (id int)')];

test('with many concurrent runners each migration is applied once, and all find the schema up to date (DAT-02)', async () => {
  const applied = await Promise.all(Array.from({ length: 6 }, () => migrate(database.connection, FIRST)));
  assert.equal(
    applied.reduce((sum, count) => sum + count, 0),
    FIRST.length,
  );
  assert.deepEqual(await tables(), ['a', 'b', 'migration']);
});

test('a failed migration is rolled back, and earlier ones stay', async () => {
  const broken = migration('0004_d.sql', 'create table d (id int); select 1 / 0');
  const more = [...FIRST, migration('0003_c.sql', 'create table c (id int)'), broken];
  await assert.rejects(migrate(database.connection, more), /Migration 0004_d.sql failed/);
  assert.deepEqual(await tables(), ['a', 'b', 'c', 'migration']);
});

test('a server accepts a database that a newer release has only added to', async () => {
  assert.equal(await migrate(database.connection, FIRST), 0);
});

test('a migration whose file was edited after it ran is refused', async () => {
  const edited = [
    migration('0001_a.sql', 'create table a (id bigint)'),
    ...FIRST.slice(1),
    migration('0003_c.sql', 'create table c (id int)'),
  ];
  await assert.rejects(migrate(database.connection, edited), /its file was edited/);
});

test('a server refuses a database from which a newer release has removed something', async () => {
  const third = migration('0003_c.sql', 'create table c (id int)');
  const removal = migration('0005_drop_b.sql', 'drop table b', 'contract');
  assert.equal(await migrate(database.connection, [...FIRST, third, removal]), 1);
  await assert.rejects(migrate(database.connection, [...FIRST, third]), (error: Error) => {
    assert.ok(error instanceof SchemaMismatch);
    return /0005_drop_b.sql, which this version of Parapet does not know/.test(error.message);
  });
});

test('every migration says whether it expands or contracts the schema', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parapet-migrations-'));
  try {
    await writeFile(join(folder, '0001_a.sql'), '-- contract: drop a\ndrop table a;\n');
    assert.deepEqual(
      (await readMigrations(folder)).map(({ kind }) => kind),
      ['contract'],
    );
    await writeFile(join(folder, '0002_b.sql'), 'create table b (id int);\n');
    await assert.rejects(readMigrations(folder), /0002_b.sql must begin with "-- expand: …" or "-- contract: …"/);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('a PostgreSQL before 15 is refused with its version and what to do, and a later one is accepted', () => {
  assert.throws(() => requireServerVersion(140_011), SchemaMismatch);
  assert.throws(
    () => requireServerVersion(140_011),
    /needs PostgreSQL 15 or later, and this server is PostgreSQL 14\. Upgrade it/,
  );
  for (const version of [150_000, 150_018, 160_014, 170_010, 180_004]) requireServerVersion(version);
});
