import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { type KernelDatabase, startKernelDatabase } from '#test/support/world/kernel-database.ts';
import { Database } from '../database.ts';
import type { Tx } from '../tx.ts';
import { join, renderSql, Sql, sql, sqlTemplate, unprepared } from './sql.ts';

let kernel: KernelDatabase;
let db: Database;

before(async () => {
  kernel = await startKernelDatabase();
  db = new Database({ connection: kernel.connection, poolMax: 1, onError: () => undefined });
});
after(async () => {
  await db.close();
  await kernel.stop();
});

const MANY = 3000;

/** A statement like that of a list with many combinations of filters. */
const filtered = (turn: number) =>
  sql`select current_deployment() as deployment, ${turn}::int as turn ${new Sql([`-- ${turn}`], [])}`;

test('the first thousand statements are prepared, and later ones are not', async () => {
  const early = renderSql(sql`select ${1}::int`);
  assert.notEqual(early.name, '');
  const given = Array.from({ length: MANY }, (_, turn) => renderSql(filtered(turn)).name);
  assert.equal(new Set(given).size, 1000);
  assert.equal(renderSql(sql`select ${2}::int`).name, early.name);
  assert.equal(renderSql(filtered(0)).name, given[0]);
  assert.equal(renderSql(filtered(MANY - 1)).name, '');
});

test('an unprepared statement works like a prepared one, and is not kept (TEN-01)', async () => {
  const ask = (tx: Tx, turn: number) => tx.rows`${filtered(turn)}`;
  const bare = (tx: Tx) => tx.rows`select current_deployment() as deployment -- never named`;
  for (const isRead of [true, false])
    await db.transaction({ role: 'app', deployment: '7', isRead }, async (tx) => {
      for (const turn of [0, MANY - 1, MANY - 2, MANY - 1])
        assert.deepEqual(await ask(tx, turn), [{ deployment: '7', turn }]);
      const atOnce = await Promise.all([ask(tx, MANY - 3), bare(tx), ask(tx, 1), ask(tx, MANY - 4)]);
      assert.deepEqual(atOnce[1], [{ deployment: '7' }]);
      assert.deepEqual(
        atOnce.map(([row]) => row?.['turn']),
        [MANY - 3, undefined, 1, MANY - 4],
      );
      const kept = await tx.rows`select name from pg_prepared_statements where statement like '%-- 299%'`;
      assert.deepEqual(kept, []);
    });
});

test('a filled template is the same statement as one written with its values', () => {
  const value = fc.oneof(fc.string(), fc.integer(), fc.array(fc.string()));
  fc.assert(
    fc.property(fc.array(fc.constantFrom('one', 'other'), { maxLength: 6 }), value, value, (order, one, other) => {
      const piece = (values: Record<string, unknown>) =>
        sql`select ${join(
          order.map((name) => sql`f(${values[name]}, ${'own'})`),
          sql`, `,
        )}`;
      const filled = sqlTemplate(['one', 'other'], piece);
      for (const given of [
        { one, other },
        { one: other, other: one },
      ])
        assert.deepEqual(renderSql(sql`${filled(given)}`), renderSql(piece(given)));
    }),
  );
});

test('a nested fragment is the same statement, and an unprepared one has no name', () => {
  const turn = (value: number) => renderSql(sql`${sql`select ${value}::int as turn`}`);
  assert.deepEqual(turn(1), { ...renderSql(sql`select ${1}::int as turn`) });
  assert.deepEqual({ ...turn(2), values: [1] }, turn(1));
  assert.equal(renderSql(sql`${unprepared(sql`select ${1}::int as turn`)}`).name, '');
  assert.equal(renderSql(unprepared(sql`${sql`select ${1}::int as turn`}`)).name, '');
});
