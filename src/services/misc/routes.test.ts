import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { World } from '#test/support/world/world.ts';
import * as contract from './contract.ts';

let world: World;
before(async () => {
  world = await World.start();
});
after(() => world.stop());

test('identity returns the user or the token, and its deployment', async () => {
  const place = await world.deployment();
  const user = (await world.as(contract, place.admin.jwt).getIdentity({})).body;
  assert.deepEqual(user, { identity: place.admin.email, userId: place.admin.id, deploymentId: place.id });
  const token = (await world.as(contract, (await world.token(place)).text).getIdentity({})).body;
  assert.match(token.identity, /^token:/);
  assert.deepEqual([token.userId, token.deploymentId], ['0', place.id]);
  assert.match(token.identity, /^\S+ id=\d+ deployment_id=\d+ user_id=0 created_at=\S+ roles=\(\w+,webapi\) /);
  const scanner = await world.token(place, { role: 'TOKEN_ROLE_AGENT_CLI', hasWebApi: false });
  const { identity } = (await world.as(contract, scanner.text).getIdentity({})).body;
  assert.match(identity, /roles=\(TOKEN_ROLE_AGENT_CLI\) /);
});

test('the address is that of the socket, regardless of headers (HTP-06)', async () => {
  const place = await world.deployment();
  const headers = { 'x-forwarded-for': '203.0.113.9' };
  const { body } = await world.as(contract, place.admin.jwt).getIp({ headers });
  assert.deepEqual(body, { ip: '127.0.0.1', cf: '' });
});

test('ping, tenant and health need no credential', async () => {
  const anyone = world.as(contract);
  assert.deepEqual((await anyone.getPing({})).body, { message: 'pong' });
  assert.deepEqual((await anyone.ping({})).body, {});
  assert.deepEqual((await anyone.getTenant({})).body, { tenant: '127.0.0.1' });
  assert.deepEqual((await anyone.healthCheck({})).body, { status: 'ok', healthy: true });
});

test('a stopping server is alive but not ready (OPS-02)', async () => {
  const leaving = await World.start();
  const anyone = leaving.as(contract);
  assert.equal((await anyone.readinessCheck({})).status, 200);
  leaving.assembly.markNotReady();
  const { status, headers } = await anyone.readinessCheck({});
  assert.deepEqual([status, headers.has('retry-after')], [503, true]);
  assert.equal((await anyone.healthCheck({})).status, 200);
  await leaving.stop();
});
