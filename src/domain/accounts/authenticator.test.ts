import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Caller } from '#kernel/auth/caller.ts';
import { Fault, Outage } from '#kernel/contract/fault.ts';
import { reveal } from '#kernel/crypto/secret.ts';
import { makeTokenText } from '#kernel/crypto/token-text.ts';
import { Database } from '#kernel/db/database.ts';
import { type TestDeployment, type TestUser, World } from '#test/support/world/world.ts';
import { CredentialAuthenticator } from './authenticator.ts';
import { TokenUsageRecorder } from './token-usage.ts';

let world: World;
let home: TestDeployment;
let elsewhere: TestDeployment;
let statements = 0;

before(async () => {
  world = await World.start();
  home = await world.deployment();
  elsewhere = await world.deployment();
});
after(() => world.stop());

const authenticatorOf = (
  db: Pick<Database, 'queryAsAuth'>,
  tokenUse = new TokenUsageRecorder(world.assembly.db, () => new Date()),
) =>
  new CredentialAuthenticator({
    db: {
      queryAsAuth: (statement) => {
        statements++;
        return db.queryAsAuth(statement);
      },
    },
    accessTokens: world.assembly.services.accessTokens,
    tokenKey: world.keys.derive('api-token'),
    tokenUse,
    clock: () => new Date(),
  });

type Attempt = [credential: string, deploymentRef?: string];

const refusalOf = (error: unknown): string => {
  if (error instanceof Fault) return error.kind.code;
  return error instanceof Outage ? 'OUTAGE' : String(error);
};

/** The caller that the credential authenticates, or the code of the refusal. */
const authenticate = (
  [credential, deploymentRef]: Attempt,
  authenticator: CredentialAuthenticator,
): Promise<Caller | string> =>
  authenticator
    .authenticate({
      credential,
      deploymentRef,
      accepted: 'any',
      usesOwnDeployment: false,
      address: '192.0.2.1',
      onIdentified: () => undefined,
    })
    .catch(refusalOf);

const authenticateAll = (attempts: Attempt[], authenticator: CredentialAuthenticator) =>
  Promise.all(attempts.map((attempt) => authenticate(attempt, authenticator)));

async function everyKindOfAttempt(): Promise<Attempt[]> {
  const token = await world.token(home);
  const reader = await world.token(home, { role: 'TOKEN_ROLE_READ_ONLY' });
  const expired = await world.token(home, { expiresAt: new Date(Date.now() - 1000) });
  const revoked = await world.token(home);
  await world.queryAsOwner('update api_token set revoked_at = now() where id = $1', [revoked.id]);
  const member = await world.member(home);
  const [left, disabled]: TestUser[] = [await world.member(home), await world.member(home)];
  await world.queryAsOwner('update session set ended_at = now() where id = $1', [left?.session]);
  await world.queryAsOwner('update account set disabled_at = now() where id = $1', [disabled?.id]);
  const unknown = reveal(makeTokenText('api'));
  const credentials = [home.admin.jwt, member.jwt, left?.jwt, disabled?.jwt, token.text, reader.text, expired.text];
  const scoped = await world.token(home, { scopes: ['x'] });
  const withoutWebApi = await world.token(home, { hasWebApi: false });
  credentials.push(revoked.text, unknown, scoped.text, withoutWebApi.text, 'nonsense', 'a.b.c');
  const refs = [undefined, home.id, home.slug, elsewhere.id, elsewhere.slug, '0', 'no such place', "a'\0\ud800", ''];
  return credentials.flatMap((credential) =>
    refs.map((ref): Attempt => (ref === undefined ? [credential ?? ''] : [credential ?? '', ref])),
  );
}

test('concurrent requests are authenticated as each would be alone, and share statements (TOK-04)', async () => {
  const attempts = await everyKindOfAttempt();
  const authenticator = authenticatorOf(world.assembly.db);
  const alone: (Caller | string)[] = [];
  for (const attempt of attempts) alone.push(await authenticate(attempt, authenticator));
  statements = 0;
  const together = await authenticateAll(attempts, authenticator);
  assert.deepEqual(together, alone);
  assert.ok(statements <= 6, `${statements} statements`);
  const counts: Record<string, number> = {};
  for (const result of together) {
    const what = typeof result === 'string' ? result : `${result.kind} ${result.role} ${result.deployment}`;
    counts[what] = (counts[what] ?? 0) + 1;
  }
  assert.deepEqual(counts, {
    'token ORG_ROLE_ADMIN ': 6,
    [`token ORG_ROLE_ADMIN ${home.id}`]: 3,
    'token ORG_ROLE_READONLY ': 6,
    [`token ORG_ROLE_READONLY ${home.id}`]: 3,
    'user  ': 14,
    [`user ORG_ROLE_ADMIN ${home.id}`]: 2,
    [`user ORG_ROLE_MEMBER ${home.id}`]: 2,
    INVALID_CREDENTIALS: 63,
    TOKEN_PERMISSION_MISSING: 9,
    TOKEN_SCOPE_LIMITED: 9,
  });
});

test('a revoked credential or role takes effect at once, even under load (TOK-04)', async () => {
  const authenticator = authenticatorOf(world.assembly.db);
  const token = await world.token(home);
  const member = await world.member(home);
  let isBusy = true;
  const busy = async (attempt: Attempt) => {
    while (isBusy) await authenticate(attempt, authenticator);
  };
  const others = Array.from({ length: 8 }, (_, index) => busy([index % 2 ? token.text : member.jwt, home.id]));
  assert.equal(typeof (await authenticate([token.text, home.id], authenticator)), 'object');
  await world.queryAsOwner('update api_token set revoked_at = now() where id = $1', [token.id]);
  assert.equal(await authenticate([token.text, home.id], authenticator), 'INVALID_CREDENTIALS');
  await world.queryAsOwner("update membership set role = 'ORG_ROLE_READONLY' where account_id = $1", [member.id]);
  const demoted = await authenticate([member.jwt, home.id], authenticator);
  assert.ok(typeof demoted === 'object' && demoted.role === 'ORG_ROLE_READONLY');
  await world.queryAsOwner('update session set expires_at = now() where id = $1', [member.session]);
  assert.equal(await authenticate([member.jwt, home.id], authenticator), 'INVALID_CREDENTIALS');
  isBusy = false;
  await Promise.all(others);
});

test('the last use is recorded for the tokens that were accepted, and for no others (TOK-12)', async () => {
  const tokenUse = new TokenUsageRecorder(world.assembly.db, () => new Date());
  const used = await Promise.all([world.token(home), world.token(elsewhere), world.token(home)]);
  const refused = await world.token(home, { scopes: ['x'] });
  await authenticateAll(
    [...used, refused].map(({ text }): Attempt => [text]),
    authenticatorOf(world.assembly.db, tokenUse),
  );
  await tokenUse.flush();
  const rows = await world.queryAsOwner<{ id: string }>(
    "select id from api_token where last_used_address = '192.0.2.1' and id = any($1) order by id",
    [[...used, refused].map(({ id }) => id)],
  );
  assert.deepEqual(rows.map(({ id }) => id).sort(), used.map(({ id }) => id).sort());
});

test('every request fails with an outage while the database is down, and succeeds once it is back', async () => {
  const token = await world.token(home);
  const attempts: Attempt[] = Array.from({ length: 20 }, (_, index) => [
    index % 2 ? token.text : home.admin.jwt,
    home.id,
  ]);
  const nowhere = new Database({
    connection: { host: '127.0.0.1', port: 1 },
    poolMax: 2,
    onError: () => undefined,
  });
  assert.deepEqual(new Set(await authenticateAll(attempts, authenticatorOf(nowhere))), new Set(['OUTAGE']));
  await nowhere.close();
  const authenticator = authenticatorOf(world.assembly.db);
  const isAuthenticated = (result: Caller | string) => typeof result === 'object';
  assert.ok((await authenticateAll(attempts, authenticator)).every(isAuthenticated));
  const ended = await world.queryAsOwner(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'parapet-auth'`);
  assert.ok(ended.length > 0);
  assert.ok(
    (await authenticateAll(attempts, authenticator)).every((result) => isAuthenticated(result) || result === 'OUTAGE'),
  );
  assert.ok((await authenticateAll(attempts, authenticator)).every(isAuthenticated));
});
