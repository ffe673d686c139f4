import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ORG_ROLES, permissionsOf } from '#domain/access/roles.ts';
import { operationUrl } from '#kernel/contract/client.ts';
import { deploymentParamOf, isDeploymentScoped } from '#kernel/contract/operation.ts';
import type { ExampleCall } from '#kernel/http/openapi/example-calls.ts';
import {
  CREDENTIAL_ENDING_OPERATIONS,
  makeExampleCall,
  makeObject,
  prepareOperation,
} from '#test/support/factories/example-objects.ts';
import { fillList } from '#test/support/factories/filled-lists.ts';
import { type CheckedCall, callChecked, contractViolations, statusAndCode } from '#test/support/http/checked-call.ts';
import { contentOf } from '#test/support/http/content.ts';
import { comparableHeaders, sendRequest, type TestResponse } from '#test/support/http/exchange.ts';
import { invalidRequestsFor, sampleOf } from '#test/support/http/invalid-requests.ts';
import {
  operations as allOperations,
  expectedOutcome,
  isAlwaysRefused,
  isIdempotent,
  type ListedOperation,
  objectParamsOf,
  pagingOf,
} from '#test/support/http/operations.ts';
import { describeSchema } from '#test/support/http/schema-description.ts';
import { selectOperations } from '#test/support/http/selected-operations.ts';
import { type TestDeployment, uniqueName, World } from '#test/support/world/world.ts';

/** Removes `lastUsedAt`: each call uses the token, and the time of use is written later. */
const withoutLastUse = (item: unknown): unknown =>
  JSON.parse(JSON.stringify(item, (name, value: unknown) => (name === 'lastUsedAt' ? undefined : value)));

/** Tests of every operation, derived from its contract. A new room gets them without further work. */

const UNKNOWN_ID = '999999999999';
const operations = await selectOperations(import.meta.url);

/** How the pipeline rejects what a contract forbids, before the faults of the room. */
const CONTRACT_VIOLATIONS = new Set(
  ['VALIDATION_FAILED', 'INVALID_JSON', 'INVALID_PATH', 'INVALID_CURSOR'].map((code) => `400 ${code}`),
);

let world: World;
let place: TestDeployment;
let other: TestDeployment;

before(async () => {
  world = await World.start({ PARAPET_LIMIT_LOGIN: '100000' });
  [place, other] = [await world.deployment(), await world.deployment()];
});
after(() => world.stop());

/** A new credential for one call, which every operation with authentication accepts. */
const admin = async (where: TestDeployment = place) => (await world.signIn(where.admin)).jwt;

/** The same for one operation: if nothing else names the deployment, the credential must. */
const credentialFor = async ({ bound: { operation } }: ListedOperation) =>
  operation.deployment.kind === 'credential' ? (await world.token(place)).text : admin();

const requestId = () => uniqueName('request-of-test-');

/** Sends the prepared example as an administrator, in its own world if it needs one. */
async function callExample(
  listed: ListedOperation,
  headers: Record<string, string>,
  check: (answer: TestResponse, used: World) => Promise<void> | void,
): Promise<void> {
  const prepared = await prepareOperation({ world, place }, listed);
  const used = prepared.world ?? world;
  try {
    const example = await makeExampleCall({ world: used, place }, listed);
    const token = listed.bound.operation.allow === 'public' ? undefined : await credentialFor(listed);
    const call = { ...example, token, headers: { ...prepared.headers, ...headers } };
    await check(await callChecked(used.baseUrl, listed.bound, call), used);
  } finally {
    if (used !== world) await used.stop();
  }
}

async function auditCount(where: World, ...ids: string[]): Promise<number> {
  const [row] = await where.queryAsOwner<{ count: string }>(
    'select count(*) from audit_record where request_id = any($1::text[])',
    [ids],
  );
  return Number(row?.count);
}

/** Asserts that both replies are equal byte for byte, and sends the same request id with both. */
async function assertSameReply(listed: ListedOperation, one: CheckedCall, another: CheckedCall): Promise<void> {
  const headers = { 'x-request-id': requestId() };
  const first = await callChecked(world.baseUrl, listed.bound, { ...one, headers });
  const second = await callChecked(world.baseUrl, listed.bound, { ...another, headers });
  assert.equal(statusAndCode(first), '404 NOT_FOUND');
  assert.equal(first.text, second.text);
  assert.deepEqual(comparableHeaders(first), comparableHeaders(second));
}

const inDeployment = ({ bound }: ListedOperation, call: ExampleCall, deployment: string): ExampleCall => ({
  ...call,
  path: { ...call.path, [deploymentParamOf(bound.operation) ?? '']: deployment },
});

for (const listed of operations) {
  const { id, bound } = listed;
  const { operation } = bound;
  const isPublic = operation.allow === 'public';
  const isScoped = isDeploymentScoped(operation);
  const objects = objectParamsOf(bound);

  describe(id, () => {
    test('replies to its example with every member of its contract', () =>
      callExample(listed, {}, (answer) => assert.equal(statusAndCode(answer), expectedOutcome(listed), answer.text)));

    // The refusal of the engine ends the scan that asked for it.
    const isRecorded = !operation.isRead && (!isAlwaysRefused(listed) || id === 'ScannerService_GetEngine');
    test(`writes ${isRecorded ? 'one audit record' : 'no audit record'} (AUD-01)`, () => {
      const asked = requestId();
      return callExample(listed, { 'x-request-id': asked }, async ({ headers }, used) => {
        assert.equal(headers['x-request-id'], asked);
        assert.equal(await auditCount(used, asked), isRecorded ? 1 : 0);
      });
    });

    if (!isPublic) {
      test('rejects callers without credentials', async () => {
        const answer = await callChecked(world.baseUrl, bound, await makeExampleCall({ world, place }, listed));
        assert.equal(statusAndCode(answer), '401 NO_CREDENTIALS');
      });

      test('rejects the wrong kind of credential (TOK-07)', async () => {
        const example = await makeExampleCall({ world, place }, listed);
        const verdict = async (options: Parameters<World['token']>[1]) =>
          statusAndCode(
            await callChecked(world.baseUrl, bound, { ...example, token: (await world.token(place, options)).text }),
          );
        const isForUsers = operation.credential === 'user';
        if (isForUsers) assert.equal(await verdict({}), '403 USER_JWT_REQUIRED');
        const expected = (code: string) => `403 ${isForUsers ? 'USER_JWT_REQUIRED' : code}`;
        if (operation.credential !== 'any-token')
          assert.equal(await verdict({ hasWebApi: false }), expected('TOKEN_PERMISSION_MISSING'));
        assert.equal(await verdict({ scopes: ['project:read'] }), expected('TOKEN_SCOPE_LIMITED'));
      });
    }

    if (operation.allow.includes(':'))
      test('rejects members without the permission (AZN-01)', async () => {
        const role = ORG_ROLES.find((name) => !permissionsOf(name).has(operation.allow));
        assert.ok(role, `every role has ${operation.allow}`);
        const member = await world.memberWithoutTeam(place, role);
        const example = await makeExampleCall({ world, place, viewers: [member] }, listed);
        const answer = await callChecked(world.baseUrl, bound, { ...example, token: member.jwt });
        assert.equal(statusAndCode(answer), '403 PERMISSION_DENIED');
      });

    if (isScoped && operation.deployment.kind !== 'credential')
      test('replies to a foreign deployment as to one that does not exist (TEN-02)', async () => {
        const example = await makeExampleCall({ world, place: other }, listed);
        const names = [
          [other.id, UNKNOWN_ID],
          [other.slug, 'no-such-place'],
        ] as const;
        const tokens = [await admin(), ...(operation.credential !== 'user' ? [(await world.token(place)).text] : [])];
        for (const token of tokens)
          for (const [foreign, absent] of names)
            await assertSameReply(
              listed,
              { ...inDeployment(listed, example, foreign), token },
              { ...inDeployment(listed, example, absent), token },
            );
      });

    for (const [param, noun] of objects)
      test(`replies to a foreign ${noun} as to one that does not exist (TEN-02)`, async () => {
        const example = await makeExampleCall({ world, place }, listed);
        const foreign = await makeObject({ world, place: other }, noun);
        const call = async (value: string): Promise<CheckedCall> => ({
          ...example,
          path: { ...example.path, [param]: value },
          token: await credentialFor(listed),
        });
        await assertSameReply(listed, await call(foreign), await call(UNKNOWN_ID));
      });

    test('rejects each violation of its contract with 400 (INP-03, INP-04, INP-05, INP-08)', async () => {
      const example = await makeExampleCall({ world, place }, listed);
      const authorization = isPublic ? {} : { authorization: `Bearer ${await credentialFor(listed)}` };
      const wrong: string[] = [];
      const attempt = async ({ what, path, query, raw }: ReturnType<typeof invalidRequestsFor>[number]) => {
        const target = operationUrl(operation, path ?? example.path ?? {}, query === undefined ? example.query : {});
        const content = contentOf(operation, { ...example, raw });
        const answer = await sendRequest(world.baseUrl, {
          method: operation.method,
          target: query === undefined ? target : `${target}?${query}`,
          headers: {
            ...authorization,
            ...content.headers,
          },
          body: content.body,
          rawTypes: operation.raw?.types,
        });
        const problems = [
          ...contractViolations(bound, answer),
          ...(CONTRACT_VIOLATIONS.has(statusAndCode(answer)) ? [] : [statusAndCode(answer)]),
        ];
        wrong.push(...problems.map((problem) => `${what}: ${problem}`));
      };
      const breakages = invalidRequestsFor(operation, example);
      for (let start = 0; start < breakages.length; start += 16)
        await Promise.all(breakages.slice(start, start + 16).map(attempt));
      assert.deepEqual(wrong, []);
    });

    if (isIdempotent(bound) && !CREDENTIAL_ENDING_OPERATIONS.has(id) && !isAlwaysRefused(listed))
      test('runs once per idempotency key (CON-01)', async () => {
        const token = await credentialFor(listed);
        const { headers } = await prepareOperation({ world, place }, listed);
        const example = await makeExampleCall({ world, place }, listed);
        const key = uniqueName('key-');
        const ids = [requestId(), requestId(), requestId()];
        const call = (asked = '', changed: Partial<CheckedCall> = {}) =>
          callChecked(world.baseUrl, bound, {
            ...example,
            ...changed,
            token,
            headers: { ...headers, 'idempotency-key': key, 'x-request-id': asked },
          });
        const first = await call(ids[0]);
        const again = await call(ids[1]);
        assert.equal(first.status, operation.status);
        assert.equal(first.headers['idempotency-replayed'], undefined);
        assert.deepEqual([again.status, again.text], [first.status, first.text]);
        assert.equal(again.headers['idempotency-replayed'], 'true');
        const another = await anotherCall(listed, example);
        if (another) assert.equal(statusAndCode(await call(ids[2], another)), '422 IDEMPOTENCY_MISMATCH');
        assert.equal(await auditCount(world, ...ids), 1);
      });
  });
}

/** Another valid call of the same operation, or undefined if there is no other. */
async function anotherCall(listed: ListedOperation, example: ExampleCall): Promise<ExampleCall | undefined> {
  const again = await makeExampleCall({ world, place }, listed);
  if (JSON.stringify(again) !== JSON.stringify(example)) return again;
  for (const part of ['body', 'query'] as const) {
    const given = (example[part] ?? {}) as Record<string, unknown>;
    for (const [name, schema] of Object.entries(listed.bound.operation[part].shape)) {
      if (!schema.safeParse(undefined).success) continue;
      const { [name]: present, ...rest } = given;
      return {
        ...example,
        [part]: present === undefined ? { ...rest, [name]: JSON.parse(sampleOf(describeSchema(schema))) } : rest,
      };
    }
  }
  const { body, query } = listed.bound.operation;
  const isFixed = [body, query].every(({ shape }) => Object.keys(shape).length === 0);
  return isFixed ? undefined : assert.fail(`the example of ${listed.id} cannot be changed`);
}

/** The items of a list: the only array member of the reply. */
function itemsOf({ bound }: ListedOperation, { json }: TestResponse): unknown[] {
  const name = Object.keys(bound.operation.reply.shape).find((member) => Array.isArray(json[member]));
  return (name === undefined ? undefined : (json[name] as unknown[])) ?? [];
}

const lists = operations.filter(({ bound }) => pagingOf(bound) !== undefined);
const cursorLists = allOperations.filter(({ bound }) => pagingOf(bound)?.cursor !== undefined);

for (const listed of lists) {
  const { bound, id } = listed;
  const { place: part, limit, cursor, page } = pagingOf(bound) ?? assert.fail();

  describe(`the list of ${id}`, () => {
    let example: ExampleCall;
    let token: string;

    /** One page, or the whole list if no size is given. */
    const ask = (paging: Record<string, unknown>, changed: Partial<CheckedCall> = {}) => {
      const call = { ...example, ...changed };
      const given = (call[part] ?? {}) as Record<string, unknown>;
      return callChecked(world.baseUrl, bound, { token, ...call, [part]: { ...given, ...paging } });
    };
    const afterFirst = async () => String((await ask({ [limit]: smallestAndLargest(listed).min })).json[cursor ?? '']);
    const isRefused = async (sent: Promise<TestResponse>) =>
      assert.equal(statusAndCode(await sent), '400 INVALID_CURSOR');

    before(async () => {
      token = await admin();
      example = await makeExampleCall({ world, place }, listed);
      await fillList({ world, place }, listed, example);
    });

    test('has the same items in pages of one, in pages of two and as a whole (INP-07)', async () => {
      const { min, max } = smallestAndLargest(listed);
      const whole = itemsOf(listed, await ask({ [limit]: max }));
      assert.ok(whole.length >= 3, `the list of ${id} is too short to have pages`);
      assert.equal(new Set(whole.map((item) => JSON.stringify(item))).size, whole.length);
      for (const size of [min, min + 1]) {
        const walked: unknown[] = [];
        for (let next: unknown = cursor ? '' : 0, turn = 1; next !== undefined; turn++) {
          const answer = await ask({ [limit]: size, [cursor ?? page ?? '']: next });
          const items = itemsOf(listed, answer);
          assert.ok(items.length <= size && turn <= whole.length + 1);
          walked.push(...items);
          if (cursor) next = answer.json[cursor] === '' ? undefined : answer.json[cursor];
          else next = items.length === 0 ? undefined : turn;
        }
        assert.deepEqual(walked.map(withoutLastUse), whole.map(withoutLastUse));
      }
    });

    if (cursor) {
      test('its cursor is rejected for another deployment, object or filter (INP-06)', async () => {
        const text = await afterFirst();
        await isRefused(
          ask(
            { [cursor]: text },
            { ...(await makeExampleCall({ world, place: other }, listed)), token: await admin(other) },
          ),
        );
        if (objectParamsOf(bound).length > 0)
          await isRefused(ask({ [cursor]: text }, await makeExampleCall({ world, place }, listed)));
        for (const filter of filtersOf(listed)) await isRefused(ask({ [cursor]: text, ...filter }));
      });

      test('its cursor is rejected by another operation (INP-06)', async () => {
        const text = await afterFirst();
        for (const foreign of cursorLists.filter((one) => one.id !== id)) {
          const paging = pagingOf(foreign.bound);
          const call = await makeExampleCall({ world, place }, foreign);
          const given = { ...(call[paging?.place ?? 'query'] as object), [paging?.cursor ?? '']: text };
          await isRefused(
            callChecked(world.baseUrl, foreign.bound, { ...call, token, [paging?.place ?? 'query']: given }),
          );
        }
      });

      test('its cursor is rejected after a day, and if one character is changed (INP-06)', async () => {
        const text = await afterFirst();
        for (const at of [0, 1, 20, 40, text.length - 1]) {
          const changed = text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1);
          await isRefused(ask({ [cursor]: changed }));
        }
        assert.equal((await ask({ [cursor]: text })).status, 200);
        world.clockOffsetMs = 24 * 3600 * 1000 + 1000;
        try {
          await isRefused(ask({ [cursor]: text }, { token: await admin() }));
        } finally {
          world.clockOffsetMs = 0;
        }
      });
    }
  });
}

/** The smallest and the largest page that the contract allows. */
function smallestAndLargest({ bound }: ListedOperation): { min: number; max: number } {
  const { place: part, limit } = pagingOf(bound) ?? assert.fail();
  const reading = describeSchema(bound.operation[part].shape[limit] ?? assert.fail());
  return 'min' in reading ? reading : assert.fail();
}

/** One valid value for each member except the paging ones. */
function filtersOf({ bound }: ListedOperation): Record<string, unknown>[] {
  const { place: part, ...fields } = pagingOf(bound) ?? assert.fail();
  const paging: (string | undefined)[] = Object.values(fields);
  return (
    Object.entries(bound.operation[part].shape)
      .filter(([name]) => !paging.includes(name) && !(name in bound.operation.path.shape))
      .map(([name, schema]): [string, unknown] => [name, JSON.parse(sampleOf(describeSchema(schema)))])
      // A query cannot express an empty list.
      .filter(([, value]) => part === 'body' || !Array.isArray(value) || value.length > 0)
      .map(([name, value]) => ({ [name]: value }))
  );
}
