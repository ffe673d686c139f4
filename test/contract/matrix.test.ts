import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { after, before, describe, test } from 'node:test';
import pino from 'pino';
import { Registry } from 'prom-client';
import { readConfig } from '#kernel/config/config.ts';
import { operationUrl } from '#kernel/contract/client.ts';
import { isDeploymentScoped } from '#kernel/contract/operation.ts';
import { StaticPages } from '#kernel/http/edge/static-pages.ts';
import { operationIdOf } from '#kernel/http/openapi/describe-operation.ts';
import type { ExampleCall } from '#kernel/http/openapi/example-calls.ts';
import { CREATOR_ONLY_OPERATIONS, makeExampleCall } from '#test/support/factories/example-objects.ts';
import { contractViolations, statusAndCode } from '#test/support/http/checked-call.ts';
import { contentOf } from '#test/support/http/content.ts';
import {
  type CredentialCase,
  expectedOutcomeFor,
  type MatrixCallers,
  makeMatrixCallers,
  malformedCredentials,
} from '#test/support/http/credential-states.ts';
import { sendRequest, type TestResponse } from '#test/support/http/exchange.ts';
import {
  operations as allOperations,
  type ListedOperation,
  objectParamsOf,
  outcomeWithoutHeaders,
} from '#test/support/http/operations.ts';
import { selectOperations } from '#test/support/http/selected-operations.ts';
import { ENGINE_SETTINGS } from '#test/support/sandbox/engine.ts';
import { ChangeLog } from '#test/support/schema/change-log.ts';
import { World } from '#test/support/world/world.ts';
import { assemble, routerOf } from '../../src/server/assemble.ts';

/** The authorisation matrix: every operation with every state of a credential, each with its exact answer. */

const STATES = Array.from({ length: 30 }, (_, index) => `C${String(index + 1).padStart(2, '0')}`);
const AT_ONCE = 12;

const operations = await selectOperations(import.meta.url);

let world: World;
let changes: ChangeLog;
/** Where a token's header would have us fetch a key from. */
let trap: Server;
let trapUrl: string;
let trapped = 0;

before(async () => {
  trap = createServer((_, response) => response.end('{"keys":[]}'));
  trap.on('connection', () => {
    trapped += 1;
  });
  await new Promise<void>((resolve) => trap.listen(0, '127.0.0.1', resolve));
  trapUrl = `http://127.0.0.1:${(trap.address() as AddressInfo).port}/keys`;
  world = await World.start({ PARAPET_LIMIT_LOGIN: '100000' });
  changes = await ChangeLog.install(world);
});
after(async () => {
  trap.close();
  await world.stop();
});

async function inBatches<Item>(items: readonly Item[], work: (item: Item) => Promise<unknown>): Promise<void> {
  for (let start = 0; start < items.length; start += AT_ONCE)
    await Promise.all(items.slice(start, start + AT_ONCE).map(work));
}

/** Calls the operation as this case would; the path may name an object that belongs elsewhere. */
async function call(
  { bound: { operation } }: ListedOperation,
  example: ExampleCall,
  { headers, query, body = {} }: Pick<CredentialCase, 'headers' | 'query' | 'body'>,
  baseUrl = world.baseUrl,
): Promise<TestResponse> {
  const target = operationUrl(operation, example.path ?? {}, example.query);
  const content = contentOf(operation, { ...example, body: { ...(example.body as object), ...body } });
  return sendRequest(baseUrl, {
    method: operation.method,
    target: query === undefined ? target : `${target}${target.includes('?') ? '&' : '?'}${query}`,
    headers: { ...content.headers, ...headers },
    body: content.body,
    rawTypes: operation.raw?.types,
  });
}

/** The example with its objects replaced by those of the other deployment. */
async function withForeignObjects(
  listed: ListedOperation,
  { other }: MatrixCallers,
  example: ExampleCall,
): Promise<ExampleCall> {
  const params = objectParamsOf(listed.bound);
  if (params.length === 0) return example;
  const foreign = await makeExampleCall({ world, place: other }, listed);
  const objects = params.map(([param]) => [param, foreign.path?.[param]]);
  return { ...example, path: { ...example.path, ...Object.fromEntries(objects) } };
}

/** Denials that the trail must hold in the end (AZN-11). */
const denials: { operation: string; code: string; actor: string }[] = [];

function judge(
  listed: ListedOperation,
  one: CredentialCase,
  { answer, expected }: { answer: TestResponse; expected: string },
): string[] {
  const verdict = statusAndCode(answer);
  if (typeof one.is === 'object' && one.is.person && /^40[34] (PERMISSION_DENIED|NOT_FOUND)$/.test(verdict)) {
    const operation = `${listed.bound.group}.${listed.bound.name}`;
    denials.push({ operation, code: String(answer.json['code']), actor: one.is.person.id });
  }
  const problems = [
    ...(verdict === expected ? [] : [`expected ${expected}, got ${verdict}`]),
    ...contractViolations(listed.bound, answer),
  ];
  return problems.map((problem) => `${one.state} ${one.what}: ${problem}`);
}

async function refusedCells(listed: ListedOperation, cast: MatrixCallers): Promise<string[]> {
  const example = await makeExampleCall({ world, place: cast.place, viewers: cast.viewers }, listed);
  const elsewhere = await withForeignObjects(listed, cast, example);
  const isRefused = (one: CredentialCase) =>
    expectedOutcomeFor(listed.bound, one) !== String(listed.bound.operation.status);
  await changes.take();
  const problems: string[] = [];
  await inBatches(cast.cases.filter(isRefused), async (one) => {
    const answer = await call(listed, one.isObjectForeign ? elsewhere : example, one);
    problems.push(...judge(listed, one, { answer, expected: expectedOutcomeFor(listed.bound, one) }));
  });
  return [...problems, ...(await changes.take()).map((change) => `a refused call made a change: ${change}`)];
}

/** The same headers with a new session, because some operations end the one they are called with. */
async function signedInAnew({ headers, is }: CredentialCase): Promise<CredentialCase['headers']> {
  const person = typeof is === 'object' ? is.person : undefined;
  if (!person) return headers;
  const { jwt } = await world.signIn(person);
  // A token that the test signed itself names the first session, which another case may have ended.
  if (headers['authorization'] !== `Bearer ${person.jwt}`)
    await world.queryAsOwner('update session set ended_at = null where id = $1', [person.session]);
  return { ...headers, authorization: String(headers['authorization']).replace(person.jwt, jwt) };
}

async function admittedCells(listed: ListedOperation, cast: MatrixCallers): Promise<string[]> {
  const problems: string[] = [];
  const expected = String(listed.bound.operation.status);
  for (const one of cast.cases.filter((candidate) => expectedOutcomeFor(listed.bound, candidate) === expected)) {
    const example = await makeExampleCall({ world, place: cast.place, viewers: cast.viewers }, listed);
    const answer = await call(listed, example, { ...one, headers: await signedInAnew(one) });
    problems.push(...judge(listed, one, { answer, expected: outcomeWithoutHeaders(listed) }));
  }
  return problems;
}

/** Public operations do not look at credentials: each gets the answer that it gets without. */
async function publicCells(listed: ListedOperation, cast: MatrixCallers): Promise<string[]> {
  // Made anew for each call, because some tokens work once.
  const example = () => makeExampleCall({ world, place: cast.place }, listed);
  const expected = statusAndCode(await call(listed, await example(), { headers: {} }));
  assert.doesNotMatch(expected, /CREDENTIALS|TOKEN_|JWT/);
  const firsts = STATES.flatMap((state) => cast.cases.find((one) => one.state === state) ?? []);
  const problems: string[] = [];
  await inBatches(firsts, async (one) => {
    problems.push(...judge(listed, one, { answer: await call(listed, await example(), one), expected }));
  });
  return problems;
}

describe('the authorization matrix', () => {
  test('text that is not shaped like a credential is rejected without a query (C06, C07)', async () => {
    const { db } = world.assembly;
    const cases = malformedCredentials({ admin: (await world.deployment()).admin });
    const { queryAsAuth, transaction } = db;
    let queries = 0;
    db.queryAsAuth = (statement) => {
      queries += 1;
      return queryAsAuth.call(db, statement);
    };
    db.transaction = (options, work) => {
      queries += 1;
      return transaction.call(db, options, work) as ReturnType<typeof work>;
    };
    try {
      for (const listed of operations.filter(({ bound }) => bound.operation.allow !== 'public')) {
        const path = Object.fromEntries(Object.keys(listed.bound.operation.path.shape).map((name) => [name, '1']));
        for (const one of cases) assert.equal(statusAndCode(await call(listed, { path }, one)), one.is);
      }
      assert.equal(queries, 0);
    } finally {
      db.queryAsAuth = queryAsAuth;
      db.transaction = transaction;
    }
  });

  test('a change of any row would be noticed, and the use of a credential is none', async () => {
    const place = await world.deployment();
    const { id } = await world.token(place);
    await changes.take();
    await world.queryAsOwner(`update api_token set last_used_at = now() where id = $1`, [id]);
    assert.deepEqual(await changes.take(), []);
    await world.queryAsOwner(`update api_token set revoked_at = now() where id = $1`, [id]);
    assert.deepEqual(await changes.take(), ['UPDATE api_token (1 rows)']);
    await world.queryAsOwner(`delete from api_token where id = $1`, [id]);
    assert.deepEqual(await changes.take(), ['DELETE api_token (1 rows)']);
    await world.token(place);
    assert.deepEqual(await changes.take(), ['INSERT api_token (1 rows)']);
  });

  const rows = new Set<string>();
  let cells = 0;
  for (const listed of operations)
    test(`${listed.id} replies to each of the ${STATES.length} credential states as declared (AZN-01)`, async () => {
      const cast = await makeMatrixCallers(world, listed.bound.operation, trapUrl);
      assert.deepEqual([...new Set(cast.cases.map(({ state }) => state))], STATES);
      const isPublic = listed.bound.operation.allow === 'public';
      const problems = isPublic
        ? await publicCells(listed, cast)
        : [...(await refusedCells(listed, cast)), ...(await admittedCells(listed, cast))];
      assert.deepEqual(problems, []);
      rows.add(listed.id);
      cells += isPublic ? STATES.length : cast.cases.length;
    });

  test('every route of the router has a row, and every row all its cells', (context) => {
    const routes = routerOf()
      .routes()
      .map(({ target }) => operationIdOf(target));
    assert.deepEqual(routes.toSorted(), allOperations.map(({ id }) => id).toSorted());
    assert.deepEqual(
      operations.filter(({ id }) => !rows.has(id)),
      [],
    );
    assert.ok(cells >= operations.length * STATES.length);
    context.diagnostic(`${cells} cells`);
  });

  test('no key is fetched from an address in a token (C18)', () => {
    assert.equal(trapped, 0);
  });

  test('every authorization failure is in the audit trail (AZN-11)', async () => {
    const missing = async () => {
      const rows = await world.queryAsOwner<{ operation: string; result: string; actor: string }>(
        'select distinct operation, result, actor from audit_record',
      );
      const noted = new Set(rows.map(({ operation, result, actor }) => `${operation} ${result} ${actor}`));
      return denials.filter(({ operation, code, actor }) => !noted.has(`${operation} ${code} ${actor}`));
    };
    const isAskedFor = operations.some(
      ({ bound, bound: { operation } }) =>
        operation.allow.includes(':') ||
        (operation.allow === 'self' && (isDeploymentScoped(operation) || objectParamsOf(bound).length > 0)),
    );
    assert.equal(denials.length > 0, isAskedFor);
    await world.assembly.flush();
    assert.deepEqual(await missing(), []);
  });
});

test('authentication failures are in the audit trail too (AZN-11)', async () => {
  const place = await world.deployment();
  const { id, text } = await world.token(place, { hasWebApi: false });
  const listed = allOperations.find(({ bound: { operation } }) => operation.allow === 'self') ?? assert.fail();
  await call(listed, {}, { headers: { authorization: `Bearer ${text}` } });
  await world.assembly.flush();
  const rows = await world.queryAsOwner('select from audit_record where credential = $1', [`token:${id}`]);
  assert.equal(rows.length, 1);
});

describe('another server on the same database', () => {
  let baseUrl: string;
  let stop: () => Promise<void>;
  let logged = '';

  before(async () => {
    const stream = new Writable({
      write: (chunk, _, done) => {
        logged += String(chunk);
        done();
      },
    });
    const assembly = assemble({
      config: readConfig(ENGINE_SETTINGS),
      connection: world.database.connection,
      keys: world.keys,
      log: pino({ level: 'trace' }, stream),
      registry: new Registry(),
      pages: new StaticPages(),
      // A stream of events is an answer like any other here, so it must come to its end.
      live: { lifetimeMs: 300, lingerMs: 200 },
    });
    const { port } = await assembly.httpServer.listen('127.0.0.1', 0);
    baseUrl = `http://127.0.0.1:${port}`;
    assembly.setBaseUrl(baseUrl);
    stop = async () => {
      await assembly.httpServer.drain(1000);
      await assembly.close();
    };
  });
  after(() => stop());

  const either = operations.filter(
    ({ bound: { operation } }) => operation.allow !== 'public' && operation.credential !== 'user',
  );

  test('rejects a token as soon as it is revoked here (C09)', async () => {
    const place = await world.deployment();
    for (const listed of either.filter((one) => !CREATOR_ONLY_OPERATIONS.has(one.id))) {
      const { id, text } = await world.token(place);
      const headers = { authorization: `Bearer ${text}` };
      const example = await makeExampleCall({ world, place }, listed);
      assert.equal(statusAndCode(await call(listed, example, { headers }, baseUrl)), outcomeWithoutHeaders(listed));
      await world.queryAsOwner('update api_token set revoked_at = now() where id = $1', [id]);
      assert.equal(statusAndCode(await call(listed, example, { headers }, baseUrl)), '401 INVALID_CREDENTIALS');
    }
  });

  test('writes no credential to its log, wherever it was sent (C05)', async () => {
    const place = await world.deployment();
    const { text } = await world.token(place);
    const bodies = { access_token: text };
    for (const listed of operations) {
      const example = await makeExampleCall({ world, place }, listed);
      for (const headers of [
        {},
        { authorization: `Bearer ${text}` },
        { authorization: `Token ${text}` },
        { cookie: `a=${text}` },
      ])
        await call(listed, example, { headers, query: `access_token=${text}`, body: bodies }, baseUrl);
    }
    assert.match(logged, /"status":401/);
    assert.equal(logged.includes(text.slice(4, 30)), false);
    assert.equal(logged.includes(place.admin.jwt.split('.')[2] ?? ''), false);
  });
});
