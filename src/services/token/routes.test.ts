import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import * as teams from '#services/teams/contract.ts';
import { type TestDeployment, World } from '#test/support/world/world.ts';
import * as contract from './contract.ts';

let world: World;
let place: TestDeployment;
before(async () => {
  world = await World.start();
  place = await world.deployment();
});
after(() => world.stop());

const admin = () => world.as(contract, place.admin.jwt);
const path = () => ({ deploymentId: place.id });
const make = (body: Partial<Parameters<ReturnType<typeof admin>['createToken']>[0]['body']> = {}) =>
  admin().createToken({ path: path(), body: { name: 'ci', role: 'TOKEN_ROLE_WEBAPI', webApi: true, ...body } });
const statusOf = async (secret: string) =>
  (await world.as(teams, secret).listDeploymentTeams({ path: path(), body: {} })).status;

describe('create a token', () => {
  test('the secret works at once, is shown once and is not stored (TOK-09)', async () => {
    const { body, status } = await make();
    assert.equal(status, 200);
    assert.match(body.secret, /^pap_[0-9A-Za-z]{46}$/);
    assert.equal(body.token.suffix, body.secret.slice(-4));
    assert.equal(await statusOf(body.secret), 200);
    const listed = await admin().listTokens({ path: path() });
    assert.ok(!JSON.stringify(listed.body).includes(body.secret));
    const [row] = await world.queryAsOwner<{ all: string }>(
      'select string_agg(api_token::text, $1) as all from api_token',
      [' '],
    );
    assert.ok(!row?.all.includes(body.secret.slice(4, 30)));
  });

  test('shows its creator while they are a member, also to others', async () => {
    const colleague = await world.member(place, 'ORG_ROLE_ADMIN');
    const body = { name: 'of a colleague', role: 'TOKEN_ROLE_WEBAPI' as const, webApi: true };
    const made = await world.as(contract, colleague.jwt).createToken({ path: path(), body });
    const name = colleague.email.split('@')[0];
    const makers = async () =>
      (await admin().listTokens({ path: path() })).body.tokens
        .filter(({ id }) => id === made.body.token.id)
        .map(({ createdBy }) => createdBy);
    assert.equal(made.body.token.createdBy, name);
    assert.deepEqual(await makers(), [name]);
    await world.queryAsOwner('delete from membership where account_id = $1', [colleague.id]);
    assert.deepEqual(await makers(), ['']);
  });

  test('an idempotent replay returns the same secret, which is stored sealed', async () => {
    const call = {
      path: path(),
      body: { name: 'once', role: 'TOKEN_ROLE_WEBAPI' as const, webApi: true },
      headers: { 'idempotency-key': 'same' },
    };
    const first = await admin().createToken(call);
    const second = await admin().createToken(call);
    assert.deepEqual(second.body, first.body);
    const [row] = await world.queryAsOwner<{ reply: string }>("select reply from idempotency where key = 'same'");
    assert.ok(row && !row.reply.includes(first.body.secret));
  });

  test('it expires after 90 days by default and within a year at most (TOK-12)', async () => {
    const { body } = await make();
    const days = (Date.parse(body.token.expiresAt) - Date.now()) / 86_400_000;
    assert.ok(days > 89.9 && days < 90.1);
    const tooLong = await make({ expiresAt: new Date(Date.now() + 400 * 86_400_000).toISOString() });
    const past = await make({ expiresAt: '2020-01-01T00:00:00Z' });
    assert.deepEqual([tooLong.problem.code, past.problem.code], ['TOKEN_EXPIRY_REFUSED', 'TOKEN_EXPIRY_REFUSED']);
  });

  test('a token without the Web API permission or with scopes is refused with the reason (seed 5.3)', async () => {
    const plain = await make({ webApi: false });
    const limited = await make({ scopes: ['project:read'] });
    const call = (secret: string) => world.as(teams, secret).listDeploymentTeams({ path: path(), body: {} });
    assert.equal((await call(plain.body.secret)).problem.code, 'TOKEN_PERMISSION_MISSING');
    assert.equal((await call(limited.body.secret)).problem.code, 'TOKEN_SCOPE_LIMITED');
  });

  test('a read-only token reads and does not write', async () => {
    const { body } = await make({ role: 'TOKEN_ROLE_READ_ONLY' });
    const caller = world.as(teams, body.secret);
    assert.equal((await caller.listDeploymentTeams({ path: path(), body: {} })).status, 200);
    const { problem } = await caller.createDeploymentTeam({ path: path(), body: { team: { name: 'No' } } });
    assert.equal(problem.code, 'PERMISSION_DENIED');
  });

  test('members and tokens cannot create tokens (TOK-10)', async () => {
    const member = await world.member(place);
    const body = { name: 'x', role: 'TOKEN_ROLE_WEBAPI' as const, webApi: true };
    const byMember = await world.as(contract, member.jwt).createToken({ path: path(), body });
    assert.equal(byMember.problem.code, 'PERMISSION_DENIED');
    const { text } = await world.token(place);
    const byToken = await world.as(contract, text).createToken({ path: path(), body });
    assert.equal(byToken.problem.code, 'USER_JWT_REQUIRED');
  });

  test('tokens are limited to 100 for each person, also concurrently (LIM-04, CON-04)', async () => {
    const crowded = await world.deployment();
    const body = { name: 'x', role: 'TOKEN_ROLE_WEBAPI' as const, webApi: true };
    const caller = world.as(contract, crowded.admin.jwt);
    const make = () => caller.createToken({ path: { deploymentId: crowded.id }, body });
    for (let made = 0; made < 92; made++) assert.equal((await make()).status, 200);
    const replies = await Promise.all(Array.from({ length: 18 }, make));
    assert.equal(replies.filter(({ status }) => status === 200).length, 8);
    assert.equal(replies.filter(({ problem }) => problem.code === 'TOKEN_QUOTA').length, 10);
  });
});

describe('revoke and rotate', () => {
  test('a revoked token is refused from the next request on (C09)', async () => {
    const { body } = await make();
    const tokenPath = { ...path(), tokenId: body.token.id };
    assert.equal((await admin().deleteToken({ path: tokenPath })).status, 200);
    assert.equal(await statusOf(body.secret), 401);
    assert.equal((await admin().deleteToken({ path: tokenPath })).status, 404);
  });

  test('both secrets work during the overlap of a rotation, then only the new one', async () => {
    const old = await make();
    const rotate = (overlapSeconds: number) =>
      admin().rotateToken({ path: { ...path(), tokenId: old.body.token.id }, body: { overlapSeconds } });
    const first = await rotate(600);
    assert.deepEqual([await statusOf(old.body.secret), await statusOf(first.body.secret)], [200, 200]);
    const second = await rotate(0);
    assert.deepEqual([await statusOf(old.body.secret), await statusOf(second.body.secret)], [401, 200]);
  });

  test('bulk deletion filters by purpose and role and returns the count', async () => {
    const other = await world.deployment();
    const tokens = await Promise.all([1, 2, 3].map(() => world.token(other, { role: 'TOKEN_ROLE_READ_ONLY' })));
    const kept = await world.token(other);
    const caller = world.as(contract, other.admin.jwt);
    const query = { purpose: 'TOKEN_PURPOSE_API', roleFilter: 'TOKEN_ROLE_READ_ONLY' } as const;
    const { body } = await caller.deleteTokens({ path: { deploymentId: other.id }, query });
    assert.equal(body.deletedCount, tokens.length);
    const { status } = await world
      .as(teams, kept.text)
      .listDeploymentTeams({ path: { deploymentId: other.id }, body: {} });
    assert.equal(status, 200);
  });

  test('bulk deletion without a purpose or with an invalid filter is refused', async () => {
    const queries = [
      {},
      { purpose: 'TOKEN_PURPOSE_API' },
      { purpose: 'TOKEN_PURPOSE_CLI', roleFilter: 'TOKEN_ROLE_WEBAPI' },
      { purpose: 'TOKEN_PURPOSE_SMS' },
      { purpose: 'TOKEN_PURPOSE_UNSPECIFIED' },
    ] as const;
    for (const query of queries)
      assert.equal((await admin().deleteTokens({ path: path(), query })).problem.code, 'TOKEN_FILTER_REFUSED');
  });

  test('the last use of a token is recorded in the background (TOK-12)', async () => {
    const { body } = await make();
    await statusOf(body.secret);
    const lastUsed = async () =>
      (await admin().listTokens({ path: path() })).body.tokens.find(({ id }) => id === body.token.id)?.lastUsedAt;
    assert.equal(await lastUsed(), undefined);
    await world.assembly.flush();
    assert.ok(Math.abs(Date.parse((await lastUsed()) ?? '') - Date.now()) < 60_000);
  });
});
