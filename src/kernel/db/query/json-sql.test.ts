import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { type KernelDatabase, startKernelDatabase } from '#test/support/world/kernel-database.ts';
import {
  escapedJson,
  fixed,
  flag,
  jsonArray,
  jsonObject,
  jsonText,
  mapWords,
  number,
  optional,
  quotedJson,
  text as textMember,
  timestampText,
  unescaped,
} from './json-sql.ts';
import { flatten, join, renderSql, Sql, sql } from './sql.ts';

let kernel: KernelDatabase;

before(async () => {
  kernel = await startKernelDatabase();
});
after(() => kernel.stop());

test('rows become the same JSON text as in JavaScript, in order', async () => {
  const owner = await kernel.superuser();
  const text = fc.string({ unit: 'grapheme' }).map((one) => one.replaceAll('\0', '').toWellFormed());
  const row = fc.record({
    id: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    name: text,
    isOpen: fc.boolean(),
  });
  const object = jsonObject({
    id: unescaped(sql`id`),
    name: jsonText(sql`to_json(name)::text`),
    isOpen: flag(sql`is_open`),
    isShut: flag(sql`not is_open`),
    nothing: jsonText(sql`null`),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 5 }), async (rows) => {
      const { rows: found } = await owner.query<{ items: string }>(
        renderSql(sql`
          select ${jsonArray(object, sql`number`)} as items
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

test('members of every kind become the same JSON text as in JavaScript, in any number', async () => {
  const owner = await kernel.superuser();
  const text = fc.option(fc.string({ unit: 'grapheme' }).map((one) => one.replaceAll('\0', '').toWellFormed()));
  const at = fc.date({ min: new Date(0), max: new Date('2999-12-31T00:00:00Z'), noInvalidDate: true });
  const names = { low: 'LEVEL_LOW', high: 'LEVEL_HIGH' } as const;
  const row = fc.record({
    ...{ name: text, at: fc.option(at), line: fc.integer(), level: fc.constantFrom('low', 'high', 'odd') },
    ...{ hasFirst: fc.boolean(), count: fc.integer({ min: 1, max: 260 }) },
  });
  const many = (count: number) => Array.from({ length: count }, (_, index) => `m${index}`);
  await fc.assert(
    fc.asyncProperty(row, async ({ name, at: when, line, level, hasFirst, count }) => {
      const object = jsonObject({
        ...(hasFirst ? { first: fixed({ list: [], none: null, empty: '' }) } : { line: number(sql`line`) }),
        name: textMember(sql`name`),
        given: optional(escapedJson(sql`name`)),
        isLow: flag(sql`level = 'low'`),
        at: optional(quotedJson(timestampText(sql`at`))),
        level: optional(quotedJson(mapWords(sql`level`, names))),
        end: fixed(false),
        ...Object.fromEntries(many(count).map((key) => [key, unescaped(sql`line`)])),
      });
      const { rows } = await owner.query<{ made: string }>(
        renderSql(sql`select ${object} as made from (select ${name}::text as name, ${when}::timestamptz(3) as at,
          ${line}::int as line, ${level}::text as level) as given`),
      );
      const plain = {
        ...(hasFirst ? { first: { list: [], none: null, empty: '' } } : { line }),
        ...{ name: name ?? '', given: name ?? undefined, isLow: level === 'low', at: when ?? undefined },
        ...{ level: level === 'odd' ? undefined : names[level as keyof typeof names], end: false },
        ...Object.fromEntries(many(count).map((key) => [key, String(line)])),
      };
      assert.equal(rows[0]?.made, JSON.stringify(plain));
    }),
    { numRuns: 50 },
  );
});

test('constants and words that would need escaping are refused', () => {
  assert.throws(() => fixed("it's"));
  assert.throws(() => fixed('a"b'));
  assert.throws(() => jsonObject({ first: optional(sql`'1'`) }));
  assert.throws(() => mapWords(sql`name`, { "a'b": 'c' }));
  assert.throws(() => mapWords(sql`name`, { a: "b'c" }));
});

test('a member name that would need escaping is refused', () => {
  for (const key of ["a'b", 'a"b', '', '1a', 'a b', 'é']) assert.throws(() => jsonObject({ [key]: unescaped(sql`1`) }));
});

test('a flattened fragment is the same statement', () => {
  const piece: fc.Arbitrary<Sql> = fc.letrec<{ piece: Sql }>((tie) => ({
    piece: fc
      .array(fc.oneof({ maxDepth: 3 }, fc.nat(), fc.string(), tie('piece')), { maxLength: 4 })
      .map((values) => new Sql(['a', ...values.map((_, index) => `b${index}`)], values)),
  })).piece;
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 4 }), (pieces) => {
      const whole = join(pieces, sql`, `);
      assert.deepEqual(renderSql(flatten(whole)), renderSql(whole));
      assert.ok(flatten(whole).values.every((value) => !(value instanceof Sql)));
    }),
  );
});
