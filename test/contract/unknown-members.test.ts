import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { z } from 'zod';
import type { ExampleCall } from '#kernel/http/openapi/example-calls.ts';
import { makeExampleCall, prepareOperation } from '#test/support/factories/example-objects.ts';
import { type CheckedCall, callChecked, statusAndCode } from '#test/support/http/checked-call.ts';
import type { TestResponse } from '#test/support/http/exchange.ts';
import { expectedOutcome, type ListedOperation, operations } from '#test/support/http/operations.ts';
import { describeSchema, isObject } from '#test/support/http/schema-description.ts';
import { type TestDeployment, World } from '#test/support/world/world.ts';

/** Members and parameters that a contract does not have: refused where a misspelt one would do more, else ignored. */

/** Permissions whose operations give rights, change many objects, or decide who sees something. */
const STRICT_PERMISSIONS: readonly string[] = [
  'automation:manage',
  'export:create',
  'issue:report',
  'issue:triage',
  'team:manage',
  'token:manage',
  'user:manage',
];
const FILTERS = ['filter', 'filters', 'q'];

/** Scanners and command lines send members of newer versions, which must not stop a scan. */
const LENIENT_GROUPS = ['ScannerService', 'RegistryService'];

const strict = operations.filter(({ bound }) => bound.operation.isStrict === true);
const hasMembers = ({ bound: { operation } }: ListedOperation) =>
  Object.keys({ ...operation.body.shape, ...operation.query.shape }).length > 0;

let world: World;
let place: TestDeployment;
before(async () => {
  world = await World.start({ PARAPET_LIMIT_LOGIN: '100000' });
  place = await world.deployment();
});
after(() => world.stop());

async function send({ bound }: ListedOperation, call: CheckedCall): Promise<TestResponse> {
  const { allow, deployment } = bound.operation;
  const token =
    deployment.kind === 'credential' ? (await world.token(place)).text : (await world.signIn(place.admin)).jwt;
  return callChecked(world.baseUrl, bound, { ...call, ...(allow !== 'public' && { token }) });
}

interface Misspelling {
  pointer: string;
  meant: string;
  call: ExampleCall;
}

/** A body for each member of the example, at any depth, with one more member that is almost its name. */
function* misspelledBodies(
  schema: z.core.$ZodType,
  value: unknown,
  pointer = '#',
): Generator<Omit<Misspelling, 'call'> & { body: unknown }> {
  const reading = describeSchema(schema);
  if (reading.kind === 'object' && isObject(value))
    for (const { name, schema: inner } of reading.members.filter((member) => member.name in value)) {
      yield { pointer: `${pointer}/${name}x`, meant: name, body: { ...value, [`${name}x`]: value[name] } };
      for (const found of misspelledBodies(inner, value[name], `${pointer}/${name}`))
        yield { ...found, body: { ...value, [name]: found.body } };
    }
  if (reading.kind === 'array' && Array.isArray(value))
    for (const [index, item] of value.entries())
      for (const found of misspelledBodies(reading.element, item, `${pointer}/${index}`))
        yield { ...found, body: value.with(index, found.body) };
}

function* misspellings({ bound: { operation } }: ListedOperation, example: ExampleCall): Generator<Misspelling> {
  for (const { body, ...found } of misspelledBodies(operation.body, example.body ?? {}))
    yield { ...found, call: { ...example, body: body as NonNullable<ExampleCall['body']> } };
  for (const [name, value] of Object.entries(example.query ?? {}))
    yield {
      pointer: `query/${name}x`,
      meant: name,
      call: { ...example, query: { ...example.query, [`${name}x`]: value } },
    };
}

const errorsOf = ({ json }: TestResponse) => json['errors'] as { pointer: string; code: string; detail: string }[];

test('operations that give rights, filter what they change or decide who sees it are strict', () => {
  const expected = operations.filter(
    (listed) =>
      !listed.bound.operation.isRead &&
      hasMembers(listed) &&
      (STRICT_PERMISSIONS.includes(listed.bound.operation.allow) ||
        FILTERS.some((name) => name in listed.bound.operation.body.shape)),
  );
  const lenient = expected.filter((listed) => !strict.includes(listed)).map(({ id }) => id);
  assert.deepEqual(lenient, []);
  const broken = strict.filter(({ bound }) => LENIENT_GROUPS.includes(bound.group)).map(({ id }) => id);
  assert.deepEqual(broken, []);
});

describe('a strict operation refuses a misspelt member and names what was meant', () => {
  for (const listed of strict)
    test(listed.id, async () => {
      const example = await makeExampleCall({ world, place }, listed);
      let count = 0;
      for (const { pointer, meant, call } of misspellings(listed, example)) {
        const answer = await send(listed, call);
        assert.equal(statusAndCode(answer), '400 VALIDATION_FAILED', pointer);
        const error = errorsOf(answer).find((one) => one.pointer === pointer);
        assert.equal(error?.code, 'UNKNOWN_MEMBER', answer.text);
        // A name of one letter is too short to be recognized.
        if (meant.length > 1) assert.match(error?.detail ?? '', new RegExp(`did you mean ${meant}\\?$`));
        count += 1;
      }
      assert.ok(count > 0);
    });
});

describe('other operations ignore unknown members, unless the request prefers strict handling (RFC 7240)', () => {
  const lenient = operations.filter(
    ({ bound: { operation } }) => operation.hasBody && operation.isStrict !== true && operation.raw === undefined,
  );
  for (const listed of lenient)
    test(listed.id, async () => {
      const scene = { world, place };
      const { world: separate, headers = {} } = await prepareOperation(scene, listed);
      await separate?.stop();
      const example = await makeExampleCall(scene, listed);
      const call = { ...example, headers, body: { ...(example.body as object), sentByANewerClient: { any: [1] } } };
      const refused = await send(listed, { ...call, headers: { ...headers, prefer: 'handling=strict' } });
      assert.equal(statusAndCode(refused), '400 VALIDATION_FAILED');
      const unknown = { pointer: '#/sentByANewerClient', code: 'UNKNOWN_MEMBER', detail: 'is not known here' };
      // An error of SCIM has only a sentence.
      if (listed.bound.operation.mediaType) assert.match(String(refused.json['detail']), /sentByANewerClient/);
      else assert.deepEqual(errorsOf(refused), [unknown]);
      // Setting up works once, on a server without accounts.
      if (listed.id !== 'SessionsService_SetUp')
        assert.equal(statusAndCode(await send(listed, call)), expectedOutcome(listed));
    });
});

test('a request with very many unknown members gets a short answer', async () => {
  const listed = strict.find(({ id }) => id === 'TokenService_CreateToken');
  assert.ok(listed);
  const example = await makeExampleCall({ world, place }, listed);
  const many = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`member${index}`, index]));
  const answer = await send(listed, { ...example, body: { ...(example.body as object), ...many } });
  assert.equal(answer.status, 400);
  assert.equal(errorsOf(answer).length, 50);
});
