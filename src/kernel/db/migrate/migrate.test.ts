import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { makeDatabase, type TestDatabase } from '#test/support/world/database.ts';
import { type Migration, migrate, SchemaMismatch } from './migrate.ts';

let database: TestDatabase;
before(async () => {
  database = await makeDatabase({ template: 'template0' });
});
after(() => database.drop());

const migration = (name: string, text: string): Migration => ({
  name,
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

test('a database of a newer version is refused', async () => {
  await assert.rejects(migrate(database.connection, FIRST), (error: Error) => {
    assert.ok(error instanceof SchemaMismatch);
    return /0003_c.sql, which this version of Parapet does not know/.test(error.message);
  });
});

test('a migration whose file was edited after it ran is refused', async () => {
  const edited = [
    migration('0001_a.sql', 'create table a (id bigint)'),
    ...FIRST.slice(1),
    migration('0003_c.sql', 'create table c (id int)'),
  ];
  await assert.rejects(migrate(database.connection, edited), /its file was edited/);
});
