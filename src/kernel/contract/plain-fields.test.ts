import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { z } from 'zod';
import { normaliserOf } from './normalise.ts';
import * as plain from './plain-fields.ts';
import * as proto from './proto-fields.ts';

const Project = z.object({
  id: plain.id('Project'),
  url: plain.nullable(z.string()),
  created_at: plain.timestamp(),
});

test('the plain dialect shows ids as numbers, nulls as null and times with microseconds', () => {
  const wire = { id: 123, url: null, created_at: '2026-01-02T03:04:05.678000Z' };
  const value = Project.parse(wire);
  assert.equal(value.id, '123');
  assert.deepEqual(z.encode(Project, value), wire);
});

test('the plain dialect omits absent optional members, and shows ids in lists as JSON numbers', () => {
  const Scan = z.object({
    id: plain.id('Scan'),
    parent: plain.id('Scan').optional(),
    ended_at: plain.timestamp().optional(),
    rules: z.array(plain.id('Rule')),
    project: z.object({ id: plain.id('Project'), url: z.string().optional() }).optional(),
  });
  const nothing = { parent: undefined, ended_at: undefined };
  const [one, two] = [Scan.parse({ id: 7, rules: [] }).id, z.array(plain.id('Rule')).parse([1, 2 ** 53 - 1])];
  const project = { id: Project.shape.id.parse(3), url: undefined };
  const wire = (value: z.output<typeof Scan>) => JSON.stringify(z.encode(Scan, value));
  assert.equal(wire({ id: one, rules: two, ...nothing }), '{"id":7,"rules":[1,9007199254740991]}');
  assert.equal(wire({ id: one, rules: [], project }), '{"id":7,"rules":[],"project":{"id":3}}');
});

test('requests may send ids of the plain dialect as number or decimal text, exact up to 2^63 − 1', () => {
  const Query = z.object({ repository_id: plain.id('Project') });
  const read = (given: unknown) => Query.safeParse(normaliserOf(Query)({ repository_id: given }, '#', []));
  const written = { 12: 12, '9007199254740993': 9007199254740993n, '9223372036854775807': '9223372036854775807' };
  for (const [text, given] of Object.entries(written)) assert.equal(read(given).data?.repository_id, text);
  for (const wrong of [2 ** 53, 1.5, '9223372036854775808', 9223372036854775808n, '012', '', ' 1', '1e3', true, null])
    assert.equal(read(wrong).success, false, String(wrong));
});

test('page and page_size have their defaults and their bounds', () => {
  const query = z.object({ page: plain.page(), page_size: plain.pageSize({ fallback: 100, min: 100, max: 3000 }) });
  assert.deepEqual(query.parse({}), { page: 0, page_size: 100 });
  assert.equal(query.safeParse({ page_size: 99 }).success, false);
  assert.equal(query.safeParse({ page: -1 }).success, false);
});

test('epoch seconds keep their fraction', () => {
  assert.equal(plain.epochSeconds().parse(1700000000.25).toISOString(), '2023-11-14T22:13:20.250Z');
});

const Proto = z.object({
  id: proto.id('Team'),
  some_count: proto.count(),
  bigValue: proto.int64(),
  at: proto.timestamp().optional(),
  kind: proto.oneOf(['KIND_A', 'KIND_B']).optional(),
});

test('the proto dialect round-trips the whole 64-bit range exactly (INP-05)', () => {
  const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
  const small = fc.integer({ min: 0, max: 2 ** 31 });
  fc.assert(
    fc.property(int64, int64, small, (id, big, count) => {
      const wire = { id: String(id), some_count: String(count), bigValue: String(big) };
      const value = Proto.parse(wire);
      assert.deepEqual([value.id, value.some_count, value.bigValue], [String(id), count, big]);
      assert.deepEqual(z.encode(Proto, value), wire);
    }),
  );
});

test('other spellings of integers than the canonical one are refused (INP-05)', () => {
  const spellings = [
    '',
    ' 1',
    '1 ',
    '+1',
    '01',
    '-0',
    '1.0',
    '1e3',
    '0x1',
    '１',
    '1_000',
    '9223372036854775808',
    'NaN',
  ];
  for (const spelling of spellings) assert.equal(proto.id('Team').safeParse(spelling).success, false, spelling);
});

test('times other than RFC 3339 between 1970 and 2999 are refused (INP-10)', () => {
  const wrong = [
    '2026-01-01',
    '2026-01-01 00:00:00Z',
    '2026-13-01T00:00:00Z',
    '1969-12-31T23:59:59Z',
    '3000-01-01T00:00:00Z',
    '2026-01-01T00:00:00',
    '1',
  ];
  for (const text of wrong) assert.equal(proto.timestamp().safeParse(text).success, false, text);
  assert.equal(proto.timestamp().parse('2026-01-01T02:00:00+02:00').toISOString(), '2026-01-01T00:00:00.000Z');
});

test('the normaliser accepts both spellings of a name and numbers for int64, and drops unspecified and unknown members', () => {
  const errors: never[] = [];
  const wire = normaliserOf(Proto)(
    { id: 7, someCount: 3, big_value: 9007199254740993n, kind: 'KIND_UNSPECIFIED', other: 1 },
    '#',
    errors,
  );
  assert.deepEqual(wire, { id: '7', some_count: '3', bigValue: '9007199254740993' });
  assert.deepEqual(errors, []);
});

test('two spellings of one member with different values are an error', () => {
  const errors: { code: string }[] = [];
  normaliserOf(Proto)({ id: 1, some_count: 3, someCount: 4, bigValue: 1 }, '#', errors as never[]);
  assert.deepEqual(
    errors.map(({ code }) => code),
    ['TWO_SPELLINGS'],
  );
});
