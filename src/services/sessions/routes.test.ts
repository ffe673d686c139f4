import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import * as users from '#services/users/contract.ts';
import { PASSWORD, type TestUser, uniqueName, World } from '#test/support/world/world.ts';
import * as contract from './contract.ts';

let world: World;
before(async () => {
  world = await World.start();
});
after(() => world.stop());

const signIn = (email: string, password = PASSWORD) => world.as(contract).createSession({ body: { email, password } });
/** One cookie of a reply, as a browser sends it back. */
const cookieOf = (reply: { headers: Headers }, name = 'refresh') =>
  reply.headers
    .getSetCookie()
    .find((text) => text.startsWith(`__Host-parapet_${name}=`))
    ?.split(';')[0] ?? '';
const refresh = (cookie: string, headers: Record<string, string> = {}) =>
  world.as(contract).refreshSession({ body: {}, headers: { cookie, ...headers } });
const who = (token: string) => world.as(users, token).getUser({});

describe('sign in', () => {
  test('the correct password gives an access token and an HttpOnly cookie (TOK-03)', async () => {
    const { email, id } = await world.account();
    const reply = await signIn(email.toUpperCase());
    assert.equal(reply.status, 200);
    assert.equal(reply.body.user.id, id);
    assert.equal(reply.headers.getSetCookie().length, 2);
    for (const cookie of reply.headers.getSetCookie())
      assert.match(cookie, /^__Host-\w+=\S+; Path=\/; Secure; HttpOnly; SameSite=Strict/);
    const lifetimeMs = Date.parse(reply.body.expiresAt) - Date.now();
    assert.ok(lifetimeMs > 0 && lifetimeMs <= 15 * 60_000);
    assert.equal((await who(reply.body.accessToken)).body.user.email, email);
  });

  test('a wrong password and an unknown address give the same error', async () => {
    const { email } = await world.account();
    const [wrong, unknown] = await Promise.all([signIn(email, 'no'), signIn(`${uniqueName('nobody')}@example.com`)]);
    assert.deepEqual([wrong.status, wrong.problem.code], [401, 'SIGN_IN_REFUSED']);
    assert.equal(unknown.problem.detail, wrong.problem.detail);
  });

  test('success and failure are audited without the password (AUD-01, AUD-05)', async () => {
    const { email, id } = await world.account();
    await signIn(email, 'a wrong password');
    await signIn(email);
    const records = await world.queryAsOwner<{ result: string }>(
      `select result from audit_record
       where operation = 'SessionsService.createSession' and (actor = $1 or object = $2) order by id`,
      [id, `account/${id}`],
    );
    assert.deepEqual(
      records.map(({ result }) => result),
      ['SIGN_IN_REFUSED', '200'],
    );
  });

  test('failures are limited by account, regardless of the spelling of the address (LIM-02)', async () => {
    const { email } = await world.account();
    const spellings = [email, email.toUpperCase(), ` ${email}`.trim()];
    const codes: string[] = [];
    for (let index = 0; index < 12; index++)
      codes.push((await signIn(spellings[index % 3] ?? email, 'wrong')).problem.code);
    assert.ok(codes.includes('RATE_LIMITED'));
    assert.equal((await signIn(email)).status, 429);
    world = await restart(world);
  });

  test('a disabled account cannot sign in and its sessions end at once (TOK-04)', async () => {
    const account = await world.account();
    const { jwt } = await world.signIn(account);
    assert.equal((await who(jwt)).status, 200);
    await world.queryAsOwner('update account set disabled_at = now() where id = $1', [account.id]);
    assert.equal((await who(jwt)).status, 401);
    assert.equal((await signIn(account.email)).status, 401);
  });
});

describe('guesses', () => {
  let proxied: World;
  before(async () => {
    // One address has 2 guesses a minute at an account, all strangers together have 4, and one address has 40 in all.
    proxied = await World.start({ PARAPET_LIMIT_LOGIN: '4', PARAPET_TRUSTED_PROXIES: '127.0.0.1' });
  });
  after(() => proxied.stop());

  const guess = (email: string, { from, password = 'wrong', cookie = '' }: Record<string, string>) =>
    proxied
      .as(contract)
      .createSession({ body: { email, password }, headers: { 'x-forwarded-for': from ?? '192.0.2.1', cookie } });
  const statusesOf = (replies: { status: number }[]) =>
    Object.fromEntries([...Map.groupBy(replies, ({ status }) => status)].map(([status, all]) => [status, all.length]));

  test('sent at once are checked only up to the limit (TOK-14)', async () => {
    const { email } = await proxied.account();
    const one = await Promise.all(Array.from({ length: 60 }, () => guess(email, { from: '192.0.2.1' })));
    assert.deepEqual(statusesOf(one), { 401: 2, 429: 58 });
    const many = await Promise.all(Array.from({ length: 60 }, (_, n) => guess(email, { from: `192.0.2.${n + 2}` })));
    assert.deepEqual(statusesOf(many), { 401: 2, 429: 58 });
    const [row] = await proxied.queryAsOwner<{ count: string }>(
      `select count(*) from audit_record where result = 'SIGN_IN_REFUSED'`,
    );
    assert.equal(row?.count, '4');
  });

  test('of one address do not keep others out of the account, and those of all do not keep a known device out', async () => {
    const { email } = await proxied.account();
    const signedIn = await guess(email, { from: '198.51.100.1', password: PASSWORD });
    const cookie = cookieOf(signedIn, 'device');
    for (let n = 0; n < 4; n++) await guess(email, { from: '198.51.100.2' });
    assert.equal((await guess(email, { from: '198.51.100.2', password: PASSWORD })).status, 429);
    assert.equal((await guess(email, { from: '198.51.100.3', password: PASSWORD })).status, 200);
    for (let n = 0; n < 4; n++) await guess(email, { from: `198.51.100.${n + 10}` });
    assert.equal((await guess(email, { from: '198.51.100.4', password: PASSWORD })).status, 429);
    assert.equal((await guess(email, { from: '198.51.100.4', password: PASSWORD, cookie })).status, 200);
    // The cookie is limited too, and opens no other account.
    const own = await Promise.all(Array.from({ length: 8 }, () => guess(email, { from: '198.51.100.5', cookie })));
    assert.deepEqual(statusesOf(own), { 401: 4, 429: 4 });
    const other = await proxied.account();
    const foreign = await Promise.all(Array.from({ length: 8 }, () => guess(other.email, { from: '::1', cookie })));
    assert.deepEqual(statusesOf(foreign), { 401: 2, 429: 6 });
  });

  test('at many accounts do not keep known devices behind the same proxy out', async () => {
    const { email } = await proxied.account();
    const from = '203.0.113.1';
    const cookie = cookieOf(await guess(email, { from, password: PASSWORD }), 'device');
    const sprayed = await Promise.all(Array.from({ length: 50 }, (_, n) => guess(`nobody${n}@example.com`, { from })));
    assert.deepEqual(statusesOf(sprayed), { 401: 40, 429: 10 });
    assert.equal((await guess(email, { from, password: PASSWORD })).status, 429);
    assert.equal((await guess(email, { from, password: PASSWORD, cookie })).status, 200);
  });

  test('with the correct password do not count', async () => {
    const { email } = await proxied.account();
    for (let n = 0; n < 6; n++)
      assert.equal((await guess(email, { from: '203.0.113.2', password: PASSWORD })).status, 200);
  });
});

/** The previous tests have exhausted the rate limits; a new server starts with fresh ones. */
async function restart(old: World): Promise<World> {
  await old.stop();
  return World.start();
}

describe('refresh', () => {
  test('gives a new access token and a new cookie', async () => {
    const { email } = await world.account();
    const first = await signIn(email);
    const second = await refresh(cookieOf(first));
    assert.equal(second.status, 200);
    assert.notEqual(cookieOf(second), cookieOf(first));
    assert.equal((await who(second.body.accessToken)).status, 200);
  });

  test('reusing an old cookie ends the session (TOK-03)', async () => {
    const { email } = await world.account();
    const first = await signIn(email);
    const second = await refresh(cookieOf(first));
    assert.equal((await refresh(cookieOf(first))).problem.code, 'SESSION_ENDED');
    assert.equal((await who(second.body.accessToken)).status, 401);
    assert.equal((await refresh(cookieOf(second))).status, 401);
  });

  test('pages of other origins cannot refresh (WEB-02)', async () => {
    const { email } = await world.account();
    const reply = await refresh(cookieOf(await signIn(email)), { origin: 'https://evil.example' });
    assert.deepEqual([reply.status, reply.problem.code], [403, 'FOREIGN_ORIGIN']);
  });

  test('an invalid cookie is treated as an ended session', async () => {
    assert.equal((await refresh('__Host-parapet_refresh=garbage')).status, 401);
    assert.equal((await refresh('')).status, 401);
  });
});

describe('sign out', () => {
  test('the access token is refused from the next request on (TOK-04)', async () => {
    const person: TestUser = await world.signIn(await world.account());
    const out = await world.as(contract, person.jwt).deleteSession({});
    assert.deepEqual([out.status, out.body], [200, {}]);
    assert.equal((await who(person.jwt)).status, 401);
  });
});

describe('set-up', () => {
  test('a password that is too short is refused before anything else', async () => {
    const { problem } = await world.as(contract).setUp({
      body: { setupToken: 'x', email: 'a@example.com', password: 'short', name: 'A', deploymentName: 'B' },
    });
    assert.equal(problem.code, 'PASSWORD_TOO_WEAK');
  });

  test('a server that has accounts cannot be set up again', async () => {
    await world.account();
    const { status } = await world.as(contract).setUp({
      body: { setupToken: 'x', email: 'a@example.com', password: PASSWORD, name: 'A', deploymentName: 'B' },
    });
    assert.equal(status, 403);
  });
});
