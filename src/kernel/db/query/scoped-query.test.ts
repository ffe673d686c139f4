import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Outage } from '#kernel/contract/fault.ts';
import { type KernelDatabase, startKernelDatabase } from '#test/support/world/kernel-database.ts';
import { Database } from '../database.ts';
import type { Tx } from '../tx.ts';

let kernel: KernelDatabase;
let db: Database;

before(async () => {
  kernel = await startKernelDatabase();
  // One session, so that all statements use the same connection.
  db = new Database({ connection: kernel.connection, poolMax: 1, onError: () => undefined });
  const owner = await kernel.superuser();
  await owner.query(`
    create table thing (deployment_id bigint not null, name text not null);
    alter table thing enable row level security;
    create policy tenant on thing to parapet_app
      using (deployment_id = (select current_deployment()))
      with check (deployment_id = (select current_deployment()));
    grant select, insert on thing to parapet_app, parapet_auth;
    create policy auth on thing to parapet_auth using (deployment_id = (select current_deployment()));
    insert into thing values (1, 'one'), (2, 'two')`);
});
after(async () => {
  await db.close();
  await kernel.stop();
});

const read = <Result>(deployment: string, work: (tx: Tx) => Promise<Result>) =>
  db.transaction({ role: 'app', deployment, isRead: true }, work);
const names = async (tx: Tx) => (await tx.rows`select name from thing order by name`).map((row) => row['name']);

describe('a scoped read', () => {
  test('sees only its own deployment, whatever was read before on the same session (TEN-01)', async () => {
    for (const [deployment, expected] of [
      ['1', ['one']],
      ['2', ['two']],
      ['3', []],
      ['1', ['one']],
    ] as const)
      assert.deepEqual(await read(deployment, names), expected);
  });

  test('has its scope in every statement, sequential or concurrent', async () => {
    const found = await read('2', async (tx) => [await names(tx), ...(await Promise.all([names(tx), names(tx)]))]);
    assert.deepEqual(found, [['two'], ['two'], ['two']]);
  });

  test('leaves no scope behind: without a deployment nothing is visible (TEN-01)', async () => {
    await db.transaction({ role: 'auth', deployment: '1', isRead: true }, async (tx) =>
      assert.deepEqual(await names(tx), ['one']),
    );
    assert.deepEqual(await db.transaction({ role: 'auth', isRead: true }, names), []);
    assert.deepEqual(await db.transaction({ role: 'auth', isRead: false }, names), []);
    assert.deepEqual(await db.queryAsAuth({ name: 'test-ask', text: 'select name from thing', values: [] }), []);
  });

  test('cannot write', async () => {
    const written = read('1', (tx) => tx.run`insert into thing values (1, 'more')`);
    await assert.rejects(written, (error) => error instanceof Outage);
    assert.deepEqual(await read('1', names), ['one']);
  });

  test('returns the same rows, counts and types as a write', async () => {
    const ask = (tx: Tx) =>
      tx.rows`select ${7}::bigint as id, '2026-01-02 03:04:05+00'::timestamptz as at, null as none`;
    const expected = [{ id: '7', at: '2026-01-02T03:04:05Z', none: null }];
    assert.deepEqual(await read('1', ask), expected);
    assert.deepEqual(await db.transaction({ role: 'app', deployment: '1', isRead: false }, ask), expected);
    assert.equal(await read('1', (tx) => tx.run`select from generate_series(1, 3)`), 3);
  });

  test('that fails leaves the session usable, also if the same statement fails again and then succeeds', async () => {
    const divide = (by: number) => read('1', (tx) => tx.rows`select 1 / ${by}::int as result`);
    const lookAhead = () => read('1', (tx) => tx.rows`select name from thing_of_the_future`);
    for (const attempt of [1, 2]) {
      await assert.rejects(divide(0), /division by zero/, `attempt ${attempt}`);
      await assert.rejects(lookAhead(), /does not exist/, `attempt ${attempt}`);
      assert.deepEqual(await read('2', names), ['two']);
    }
    assert.deepEqual(await divide(1), [{ result: 1 }]);
    const owner = await kernel.superuser();
    await owner.query(`create view thing_of_the_future with (security_invoker) as select name from thing;
      grant select on thing_of_the_future to parapet_app`);
    assert.deepEqual(await lookAhead(), [{ name: 'one' }]);
  });

  test('with an invalid deployment is refused before anything is sent', async () => {
    await assert.rejects(read("1'; drop table thing; --", names), /must be an id/);
  });
});

test('a session that is lost fails only the work that uses it', async () => {
  const lose = async (tx: Tx) => {
    const [row] = await tx.rows`select pg_backend_pid() as pid`;
    const owner = await kernel.superuser();
    const ending = owner.query('select pg_terminate_backend($1)', [row?.['pid']]);
    await Promise.all([tx.rows`select pg_sleep(30)`, ending]);
  };
  for (const isRead of [true, false]) {
    const losing = db.transaction({ role: 'app', deployment: '1', isRead }, lose);
    await assert.rejects(losing, (error) => error instanceof Outage);
    assert.deepEqual(await read('2', names), ['two']);
  }
});
