import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { type KernelDatabase, startKernelDatabase } from '#test/support/kernel-database.ts';
import { arrayText, bare, flag, jsonText, objectText } from './json-text.ts';
import { flat, join, render, Sql, sql } from './sql.ts';

let kernel: KernelDatabase;

before(async () => {
  kernel = await startKernelDatabase();
});
after(() => kernel.stop());

test('rows become the JSON that they are, letter by letter and in their order', async () => {
  const owner = await kernel.superuser();
  const text = fc.string({ unit: 'grapheme' }).map((one) => one.replaceAll('\0', '').toWellFormed());
  const row = fc.record({
    id: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    name: text,
    isOpen: fc.boolean(),
  });
  const object = objectText({
    id: bare(sql`id`),
    name: jsonText(sql`to_json(name)::text`),
    isOpen: flag(sql`is_open`),
    isShut: flag(sql`not is_open`),
    nothing: jsonText(sql`null`),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 5 }), async (rows) => {
      const { rows: found } = await owner.query<{ items: string }>(
        render(sql`
          select ${arrayText(object, sql`number`)} as items
          from unnest(${rows.map(({ id }) => String(id))}::bigint[], ${rows.map(({ name }) => name)}::text[],
                      ${rows.map(({ isOpen }) => isOpen)}::boolean[])
            with ordinality as made (id, name, is_open, number)`),
      );
      assert.deepEqual(
        JSON.parse(found[0]?.items ?? ''),
        rows.map(({ id, name, isOpen }) => ({ id: String(id), name, isOpen, isShut: !isOpen, nothing: null })),
      );
    }),
    { numRuns: 50 },
  );
});

test('a key that would need an escape is refused', () => {
  for (const key of ["a'b", 'a"b', '', '1a', 'a b', 'é']) assert.throws(() => objectText({ [key]: bare(sql`1`) }));
});

test('a flattened piece is the same statement', () => {
  const piece: fc.Arbitrary<Sql> = fc.letrec<{ piece: Sql }>((tie) => ({
    piece: fc
      .array(fc.oneof({ maxDepth: 3 }, fc.nat(), fc.string(), tie('piece')), { maxLength: 4 })
      .map((values) => new Sql(['a', ...values.map((_, index) => `b${index}`)], values)),
  })).piece;
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 4 }), (pieces) => {
      const whole = join(pieces, sql`, `);
      assert.deepEqual(render(flat(whole)), render(whole));
      assert.ok(flat(whole).values.every((value) => !(value instanceof Sql)));
    }),
  );
});
