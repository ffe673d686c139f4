import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { TokenUsageRecorder } from '#domain/accounts/token-usage.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import { Fault, Outage } from '#kernel/contract/fault.ts';
import { reveal } from '#kernel/crypto/secret.ts';
import { makeTokenText } from '#kernel/crypto/token-text.ts';
import { Database } from '#kernel/db/database.ts';
import { type TestDeployment, type TestUser, World } from '#test/support/world/world.ts';
import { CredentialAuthenticator } from './authenticator.ts';

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

const doorOf = (
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

type Wish = [credential: string, deploymentRef?: string];

const refusalOf = (error: unknown): string => {
  if (error instanceof Fault) return error.kind.code;
  return error instanceof Outage ? 'OUTAGE' : String(error);
};

/** What became of somebody at the door: who they are, or why not. */
const admit = ([credential, deploymentRef]: Wish, door: CredentialAuthenticator): Promise<Caller | string> =>
  door
    .authenticate({
      credential,
      deploymentRef,
      scheme: 'either',
      usesOwnDeployment: false,
      isScannerRoute: false,
      address: '192.0.2.1',
      onIdentified: () => undefined,
    })
    .catch(refusalOf);

const crowd = (wishes: Wish[], door: CredentialAuthenticator) => Promise.all(wishes.map((wish) => admit(wish, door)));

async function everybody(): Promise<Wish[]> {
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
  const shut = await world.token(home, { hasWebApi: false });
  credentials.push(revoked.text, unknown, scoped.text, shut.text, 'nonsense', 'a.b.c');
  const refs = [undefined, home.id, home.slug, elsewhere.id, elsewhere.slug, '0', 'no such place', "a'\0\ud800", ''];
  return credentials.flatMap((credential) =>
    refs.map((ref): Wish => (ref === undefined ? [credential ?? ''] : [credential ?? '', ref])),
  );
}

test('each of a crowd is told what they would be told alone, and the crowd shares its questions (TOK-04)', async () => {
  const wishes = await everybody();
  const door = doorOf(world.assembly.db);
  const alone: (Caller | string)[] = [];
  for (const wish of wishes) alone.push(await admit(wish, door));
  statements = 0;
  const together = await crowd(wishes, door);
  assert.deepEqual(together, alone);
  assert.ok(statements <= 6, `${statements} statements`);
  const counts: Record<string, number> = {};
  for (const told of together) {
    const what = typeof told === 'string' ? told : `${told.kind} ${told.role} ${told.deployment}`;
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

test('who knocks after a credential or a role was taken away is told so, however busy the door is (TOK-04)', async () => {
  const door = doorOf(world.assembly.db);
  const token = await world.token(home);
  const member = await world.member(home);
  let isBusy = true;
  const busy = async (wish: Wish) => {
    while (isBusy) await admit(wish, door);
  };
  const others = Array.from({ length: 8 }, (_, index) => busy([index % 2 ? token.text : member.jwt, home.id]));
  assert.equal(typeof (await admit([token.text, home.id], door)), 'object');
  await world.queryAsOwner('update api_token set revoked_at = now() where id = $1', [token.id]);
  assert.equal(await admit([token.text, home.id], door), 'INVALID_CREDENTIALS');
  await world.queryAsOwner("update membership set role = 'ORG_ROLE_READONLY' where account_id = $1", [member.id]);
  const demoted = await admit([member.jwt, home.id], door);
  assert.ok(typeof demoted === 'object' && demoted.role === 'ORG_ROLE_READONLY');
  await world.queryAsOwner('update session set expires_at = now() where id = $1', [member.session]);
  assert.equal(await admit([member.jwt, home.id], door), 'INVALID_CREDENTIALS');
  isBusy = false;
  await Promise.all(others);
});

test('the last use is written down for those of a crowd who were admitted, and for nobody else (TOK-12)', async () => {
  const tokenUse = new TokenUsageRecorder(world.assembly.db, () => new Date());
  const used = await Promise.all([world.token(home), world.token(elsewhere), world.token(home)]);
  const refused = await world.token(home, { scopes: ['x'] });
  await crowd(
    [...used, refused].map(({ text }): Wish => [text]),
    doorOf(world.assembly.db, tokenUse),
  );
  await tokenUse.flush();
  const rows = await world.queryAsOwner<{ id: string }>(
    "select id from api_token where last_used_address = '192.0.2.1' and id = any($1) order by id",
    [[...used, refused].map(({ id }) => id)],
  );
  assert.deepEqual(rows.map(({ id }) => id).sort(), used.map(({ id }) => id).sort());
});

test('when the database is gone everybody hears of it, and when it is back everybody gets in', async () => {
  const token = await world.token(home);
  const wishes: Wish[] = Array.from({ length: 20 }, (_, index) => [index % 2 ? token.text : home.admin.jwt, home.id]);
  const nowhere = new Database({
    connection: { host: '127.0.0.1', port: 1 },
    poolMax: 2,
    onError: () => undefined,
  });
  assert.deepEqual(new Set(await crowd(wishes, doorOf(nowhere))), new Set(['OUTAGE']));
  await nowhere.close();
  const door = doorOf(world.assembly.db);
  const isAdmitted = (told: Caller | string) => typeof told === 'object';
  assert.ok((await crowd(wishes, door)).every(isAdmitted));
  await world.queryAsOwner(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'parapet-door'`);
  assert.ok((await crowd(wishes, door)).every((told) => isAdmitted(told) || told === 'OUTAGE'));
  assert.ok((await crowd(wishes, door)).every(isAdmitted));
});
