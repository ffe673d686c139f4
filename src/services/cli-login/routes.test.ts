import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import * as scanner from '#services/scanner/contract.ts';
import { type TestDeployment, World } from '#test/support/world/world.ts';
import * as contract from './contract.ts';

let world: World;
let place: TestDeployment;
before(async () => {
  world = await World.start();
  place = await world.deployment();
});
after(() => world.stop());

const confirm = async (key: string, token?: string) =>
  world.as(contract, token ?? (await world.signIn(place.admin)).jwt).confirmLogin({
    path: { deploymentId: place.id },
    body: { key },
  });

async function collect(key: string) {
  const response = await fetch(`${world.baseUrl}/api/agent/tokens/requests`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token_request_key: key }),
  });
  return { status: response.status, body: (await response.json()) as { token: string; user_name: string } };
}

test('a command line gets a token once, and only after its user has approved', async () => {
  const key = randomUUID();
  assert.equal((await collect(key)).status, 404);
  await confirm(key);
  const { status, body } = await collect(key);
  assert.equal(status, 200);
  assert.equal(typeof body.user_name, 'string');
  assert.equal((await collect(key)).status, 404);
  const found = await world.as(scanner, body.token).getCurrentDeployment({});
  assert.equal(found.body.deployment.slug, place.slug);
});

test('of two concurrent requests only one gets the token', async () => {
  const key = randomUUID();
  await confirm(key);
  const answers = await Promise.all(Array.from({ length: 8 }, () => collect(key)));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array.from({ length: 7 }, () => 404)]);
});

test('an expired approval yields no token', async () => {
  const key = randomUUID();
  await confirm(key);
  await world.queryAsOwner(`update cli_login set expires_at = now() - interval '1 second'`);
  assert.equal((await collect(key)).status, 404);
});

test('the token is a scanner token: it cannot read projects or create tokens', async () => {
  const key = randomUUID();
  await confirm(key);
  const { token } = (await collect(key)).body;
  const response = await fetch(`${world.baseUrl}/api/v1/deployments/${place.slug}/projects`, {
    headers: { authorization: `Bearer ${token}` },
  });
  assert.equal(response.status, 403);
  assert.equal((await confirm(randomUUID(), token)).status, 403);
});

test('neither the key nor the text of the token is stored', async () => {
  const key = randomUUID();
  await confirm(key);
  assert.deepEqual(await world.queryAsOwner('select from cli_login as t where t::text like $1', [`%${key}%`]), []);
  const { token } = (await collect(key)).body;
  for (const table of ['api_token', 'audit_record'])
    assert.deepEqual(
      await world.queryAsOwner(`select from ${table} as t where t::text like $1`, [`%${token}%`]),
      [],
      table,
    );
});

test('a user who may not create tokens cannot approve', async () => {
  const member = await world.member(place);
  assert.equal((await confirm(randomUUID(), member.jwt)).status, 403);
});
