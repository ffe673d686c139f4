import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { type KernelDatabase, startKernelDatabase } from '#test/support/world/kernel-database.ts';
import { Database } from './database.ts';
import { requireRoles } from './require-roles.ts';

let kernel: KernelDatabase;
before(async () => {
  kernel = await startKernelDatabase();
});
after(() => kernel.stop());

test('sessions with the roles of the program are accepted', async () => {
  await requireRoles(kernel.db);
});

test('sessions that keep the role of the URL are refused with what to do (TEN-01)', async () => {
  const { host = '', port, user, password, database } = kernel.connection;
  // The options of a URL replace those of the program, as a proxy that drops them would.
  const url = new URL(`postgres://localhost:${port}/${database}`);
  url.username = user ?? '';
  if (typeof password === 'string') url.password = password;
  url.search = new URLSearchParams({ host, options: '-c jit=off' }).toString();
  const db = new Database({ connection: { connectionString: url.href }, poolMax: 2, onError: () => undefined });
  await assert.rejects(requireRoles(db), new RegExp(`has the role ${user} instead of parapet_app`));
  await db.close();
});

test('a user who is not a member of the roles is told how to become one', async () => {
  const superuser = await kernel.superuser();
  const user = `stranger_${randomBytes(4).toString('hex')}`;
  await superuser.query(`create role ${user} login password 'stranger'`);
  const connection = { ...kernel.connection, user, password: 'stranger' };
  const db = new Database({ connection, poolMax: 2, onError: () => undefined });
  await assert.rejects(requireRoles(db), /is not a member of parapet_app\. .* grant parapet_app, parapet_auth/);
  await db.close();
  await superuser.query(`drop role ${user}`);
});
