import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import * as deployments from '#services/deployments/contract.ts';
import * as account from '#services/sessions/account-contract.ts';
import * as sessions from '#services/sessions/contract.ts';
import * as tokens from '#services/token/contract.ts';
import * as users from '#services/users/contract.ts';
import { makeSecondFactorCode } from '#test/support/factories/second-factor.ts';
import { PASSWORD, World } from '#test/support/world/world.ts';
import { runAdminAction } from './admin-command.ts';

let world: World;
before(async () => {
  world = await World.start();
});
after(() => world.stop());

const run = (action: string, email = '') =>
  runAdminAction({ db: world.assembly.db, keys: world.keys, baseUrl: world.baseUrl }, action, email);
const signIn = (email: string, password = PASSWORD) => world.as(sessions).createSession({ body: { email, password } });

test('administrators of the server are appointed and listed, and the last one stays', async () => {
  const [one, other] = [await world.account(), await world.account()];
  await run('grant', one.email);
  for (const action of ['revoke', 'disable'])
    await assert.rejects(run(action, one.email), /only administrator of the server/);
  await run('grant', other.email.toUpperCase());
  assert.deepEqual(
    (await run('list')).map((line) => line.split(' ')[0]),
    [one.email, other.email],
  );
  await run('revoke', one.email);
  assert.equal((await run('list')).length, 1);
  await assert.rejects(run('grant', 'nobody@example.com'), /no account/);
  const rows = await world.queryAsOwner("select from audit_record where operation like 'parapet admin %'");
  assert.equal(rows.length, 3);
});

test('a login link gives an account back to its owner, once', async () => {
  const person = await world.signIn(await world.account());
  const link = (await run('login-link', person.email)).join('\n');
  const token = /#t=(\S+)/.exec(link)?.[1] ?? '';
  const complete = () =>
    world.as(account).completePasswordReset({ body: { token, password: 'another long sentence' } });
  assert.equal((await complete()).body.user.email, person.email);
  assert.equal((await complete()).problem.code, 'RESET_REFUSED');
  assert.equal((await world.as(users, person.jwt).getUser({})).status, 401);
  assert.equal((await signIn(person.email, 'another long sentence')).status, 200);
});

test('a lost second factor is removed, and then the password alone signs in', async () => {
  const place = await world.deployment();
  await makeSecondFactorCode({ world, place });
  assert.equal((await signIn(place.admin.email)).problem.code, 'SECOND_FACTOR_REQUIRED');
  await run('remove-second-factor', place.admin.email);
  assert.equal((await signIn(place.admin.email)).status, 200);
});

test('a disabled account has no access of any kind until it is enabled', async () => {
  const place = await world.deployment();
  const path = { deploymentId: place.id };
  const body = { name: 'ci', role: 'TOKEN_ROLE_WEBAPI', webApi: true } as const;
  const { secret } = (await world.as(tokens, place.admin.jwt).createToken({ path, body })).body;
  const link = (await run('login-link', place.admin.email)).join('\n');
  await run('disable', place.admin.email);
  for (const credential of [place.admin.jwt, secret])
    assert.equal((await world.as(deployments, credential).getDeployment({ path })).status, 401);
  assert.equal((await signIn(place.admin.email)).status, 401);
  const token = /#t=(\S+)/.exec(link)?.[1] ?? '';
  const reset = await world.as(account).completePasswordReset({ body: { token, password: 'another long sentence' } });
  assert.equal(reset.problem.code, 'RESET_REFUSED');
  await assert.rejects(run('login-link', place.admin.email), /is disabled/);
  await run('enable', place.admin.email);
  assert.equal((await signIn(place.admin.email)).status, 200);
  assert.equal((await world.as(deployments, secret).getDeployment({ path })).status, 401);
});
