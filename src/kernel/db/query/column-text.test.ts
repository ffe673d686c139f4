import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { type KernelDatabase, startKernelDatabase } from '#test/support/world/kernel-database.ts';
import { columnText, parseColumn, parseLookup } from './column-text.ts';
import { renderSql, sql } from './sql.ts';

let kernel: KernelDatabase;

before(async () => {
  kernel = await startKernelDatabase();
});
after(() => kernel.stop());

test('columns are parsed to their values in order, also without rows', async () => {
  const owner = await kernel.superuser();
  const id = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String);
  const word = fc.stringMatching(/^[a-z0-9-]{0,12}$/);
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(fc.tuple(id, word), { selector: ([key]) => key, maxLength: 40 }), async (rows) => {
      const [keys, values] = [rows.map(([key]) => key), rows.map(([, value]) => value)];
      const { rows: found } = await owner.query(
        renderSql(sql`
          select ${columnText(sql`id`)} as ids, ${columnText(sql`word`)} as words
          from unnest(${keys}::bigint[], ${values}::text[]) as listed (id, word)`),
      );
      assert.deepEqual(parseColumn(found[0].ids), keys);
      assert.deepEqual(parseColumn(found[0].words), values);
      assert.deepEqual([...parseLookup(found[0].ids, found[0].words)], rows);
    }),
    { numRuns: 60 },
  );
});
