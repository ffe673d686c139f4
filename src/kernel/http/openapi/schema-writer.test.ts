import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { count, cursor, id, limit, name } from '#kernel/contract/proto-fields.ts';
import { SchemaWriter } from './schema-writer.ts';

const Team = z.object({ id: id('Team'), name: z.string(), size: count() });
const writer = () => new SchemaWriter(new Map<z.ZodType, string>([[Team, 'Team']]));
const ref = { $ref: '#/components/schemas/Team' };

test('a named shape is a component, and a reference wherever it is used', () => {
  const schemas = writer();
  const { properties } = schemas.reply(z.object({ team: Team, teams: z.array(Team), last: Team.optional() }));
  assert.deepEqual(properties, { team: ref, teams: { type: 'array', items: ref }, last: ref });
  assert.deepEqual([...schemas.components.keys()], ['Team']);
});

test('an object that has the very members of a named shape is that shape', () => {
  assert.deepEqual(writer().reply(z.object(Team.shape)), ref);
});

test('a 64-bit integer is text in requests and replies, and an id is text in a path', () => {
  const int64 = { type: 'string', format: 'int64', pattern: '^(0|-?[1-9][0-9]{0,17})$' };
  const object = z.object({ teamId: id('Team'), size: count() });
  assert.deepEqual(writer().request(object), writer().reply(object));
  assert.deepEqual(writer().request(object)['properties'], { teamId: int64, size: int64 });
  const bounds = { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };
  const size = { type: 'integer', format: 'int64', ...bounds };
  assert.deepEqual(writer().parameters(object)['properties'], { teamId: int64, size });
});

test('the form of an optional id, and that a name is not empty, are described', () => {
  const described = writer().request(z.object({ teamId: id('Team').optional(), name: name(64).optional() }));
  assert.deepEqual(described['properties'], {
    teamId: { type: 'string', format: 'int64', pattern: '^(0|-?[1-9][0-9]{0,17})$' },
    name: { type: 'string', minLength: 1, maxLength: 64 },
  });
});

test('a member with a default may be absent from a request, and is always in a reply', () => {
  const page = z.object({ limit: limit(), cursor: cursor(), total: count().optional() });
  assert.equal(writer().request(page)['required'], undefined);
  assert.deepEqual(writer().reply(page)['required'], ['limit', 'cursor']);
});

test('a union of objects is exclusive where each has a required member that the other lacks', () => {
  const [code, secret] = [z.object({ rule: z.string() }), z.object({ service: z.string() })];
  const unionOf = (...options: [z.ZodType, z.ZodType]) =>
    Object.keys((writer().reply(z.object({ it: z.union(options) }))['properties'] as { it: object }).it);
  assert.deepEqual(unionOf(code, secret), ['oneOf']);
  assert.deepEqual(unionOf(code, code.extend({ path: z.string() })), ['anyOf']);
  assert.deepEqual(unionOf(code, z.number()), ['anyOf']);
});

test('a shape that would differ between a parameter and a body is refused', () => {
  const Range = z.object({ size: count() });
  const schemas = new SchemaWriter(new Map<z.ZodType, string>([[Range, 'Range']]));
  schemas.request(z.object({ range: Range }));
  assert.throws(() => schemas.parameters(z.object({ range: Range })), /The shape Range would be written in two ways/);
});
