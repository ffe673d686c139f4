import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sendRequest } from '#test/support/http/exchange.ts';
import { fuzz } from '#test/support/http/fuzz.ts';
import { operations } from '#test/support/http/operations.ts';
import { World } from '#test/support/world/world.ts';

/** Some for each operation, however many there are. */
const REQUESTS = operations.length * 40;
/** How many more an operation gets whose work no request has reached by chance. */
const SECOND_CHANCES = 150;
const SEED = 20_260_301;

let world: World;
before(async () => {
  world = await World.start();
});
after(() => world.stop());

/**
 * The set-up of a world with people is over; nobody guesses a token; no host is connected, no engine served, and the
 * deployment is no demo.
 */
const NEVER = new Set([
  'SessionsService_SetUp',
  'SessionsService_RefreshSession',
  'SessionsService_CreateSession',
  'SessionsService_AcceptInvitation',
  'ProjectsService_RefreshProjectsAsync',
  'ProjectsService_SyncRepo',
  'ScannerService_GetEngine',
  'CliLoginService_CollectToken',
  'DemoService_GetDemo',
  'DemoService_DeleteDemo',
]);

test('generated requests, good and bad, get only documented answers and never a 500 (INP-01 to INP-08, ERR-01)', async (context) => {
  const { failures, byVerdict, requests, succeeded } = await fuzz({ world, requests: REQUESTS, seed: SEED });
  context.diagnostic(JSON.stringify(byVerdict));
  assert.deepEqual(failures, []);
  assert.equal(requests, REQUESTS);
  const missed = operations.map(({ id }) => id).filter((id) => !succeeded.has(id) && !NEVER.has(id));
  const again = { requests: missed.length * SECOND_CHANCES, seed: SEED, only: missed };
  const second = await fuzz({ world, ...again });
  assert.deepEqual(second.failures, []);
  const unreached = missed.filter((id) => !second.succeeded.has(id));
  assert.deepEqual(unreached, [], 'no request reached the work of these operations');
});

test('the server is in good health after it, and no object has got a member from outside (INP-08)', async () => {
  for (const target of ['/api/health-check', '/api/readiness-check'])
    assert.equal((await sendRequest(world.baseUrl, { method: 'GET', target })).status, 200);
  assert.deepEqual(Object.keys(Object.prototype), []);
  assert.equal('polluted' in {}, false);
});
