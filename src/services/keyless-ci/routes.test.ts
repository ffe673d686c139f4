import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { after, before, test } from 'node:test';
import { SignJWT, UnsecuredJWT } from 'jose';
import * as scanner from '#services/scanner/contract.ts';
import * as tokens from '#services/token/contract.ts';
import { makeCiTrust } from '#test/support/factories/keyless-ci.ts';
import { CiIssuer, signingKey, signJobToken } from '#test/support/world/ci-issuer.ts';
import { type TestDeployment, World } from '#test/support/world/world.ts';
import * as contract from './contract.ts';

const AUDIENCE = 'https://parapet.example.com';

let world: World;
let issuer: CiIssuer;
before(async () => {
  issuer = await CiIssuer.start();
  world = await World.start({ PARAPET_EGRESS_ALLOW: `127.0.0.1:${issuer.port}`, PARAPET_LIMIT_API: '100000' });
});
after(async () => {
  await world.stop();
  await issuer.stop();
});

const trustIn = (place: TestDeployment, more: Parameters<typeof makeCiTrust>[1] = {}) =>
  makeCiTrust({ world, place }, { issuer: issuer.url, ...more });
const claimsOf = (more: Record<string, unknown> = {}) => ({
  iss: issuer.url,
  aud: AUDIENCE,
  sub: 'repo:acme/web:ref:refs/heads/main',
  repository: 'acme/web',
  ...more,
});
const encoded = (more: Record<string, unknown>) => Buffer.from(JSON.stringify(claimsOf(more))).toString('base64url');
const key = () => issuer.keys[0] ?? signingKey();
const jobToken = (more: Record<string, unknown> = {}) => signJobToken(key(), claimsOf(more));
const exchange = (place: TestDeployment, subject_token: string, audience = place.slug) =>
  world.as(contract).exchangeCiToken({
    body: {
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token,
      subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
      audience,
    },
  });
const start = (token: string, repository: string) =>
  world.as(scanner, token).startScan({ body: { project_metadata: { repository }, scan_metadata: {} } });
const importTo = (token: string, place: TestDeployment, project: string) =>
  fetch(`${world.baseUrl}/api/v1/deployments/${place.slug}/imports?project=${encodeURIComponent(project)}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ version: '2.1.0', runs: [{ tool: { driver: { name: 'x' } }, results: [] }] }),
  });
const adminOf = (place: TestDeployment) => world.as(contract, place.admin.jwt);
const firstTrust = async (place: TestDeployment) =>
  (await adminOf(place).listCiTrusts({ path: { deploymentId: place.id } })).body.trusts[0];

test('a job exchanges its token for a short scanner token that is limited to its project', async () => {
  const place = await world.deployment();
  await trustIn(place, { lifetimeSeconds: 600 });
  await world.project(place, 'acme/secret');
  const { status, body } = await exchange(place, await jobToken());
  assert.deepEqual([status, body.token_type, body.expires_in, body.project], [200, 'Bearer', 600, 'acme/web']);
  assert.equal((await start(body.access_token, 'acme/web')).status, 200);
  assert.equal((await importTo(body.access_token, place, 'Acme/Web')).status, 200);
  // Names that exist and names that do not are refused alike, and nothing is created.
  for (const name of ['acme/secret', 'acme/unknown']) {
    const refused = await start(body.access_token, name);
    assert.deepEqual([refused.status, refused.problem.code], [403, 'TOKEN_PROJECT_LIMITED']);
    assert.equal((await importTo(body.access_token, place, name)).status, 403);
  }
  const own = await world.queryAsOwner<{ name: string; id: string }>(
    'select name, id from project where deployment_id = $1 order by name',
    [place.id],
  );
  assert.deepEqual(
    own.map(({ name }) => name),
    ['acme/secret', 'acme/web'],
  );
  // It is a scanner token: the Web API refuses it, and it is not among the tokens of people.
  const listed = await world.as(tokens, place.admin.jwt).listTokens({ path: { deploymentId: place.id } });
  assert.deepEqual(listed.body.tokens, []);
  assert.equal(
    (await world.as(contract, body.access_token).listCiTrusts({ path: { deploymentId: place.id } })).status,
    403,
  );
  const trust = await firstTrust(place);
  assert.equal(trust?.lastProject, 'acme/web');
  const [record] = await world.queryAsOwner<{ actor_kind: string; result: string }>(
    `select actor_kind, result from audit_record
     where deployment_id = $1 and operation = 'KeylessCiService.exchangeCiToken'`,
    [place.id],
  );
  assert.deepEqual([record?.actor_kind, record?.result], ['token', '200']);
  await world.queryAsOwner(`update api_token set expires_at = now() where deployment_id = $1`, [place.id]);
  assert.equal((await start(body.access_token, 'acme/web')).status, 401);
});

test('each token of a job is accepted once, however many ask at once', async () => {
  const place = await world.deployment();
  await trustIn(place);
  const withId = await jobToken();
  const withoutId = await jobToken({ jti: undefined });
  for (const token of [withId, withoutId]) {
    const replies = await Promise.all(Array.from({ length: 25 }, () => exchange(place, token)));
    assert.equal(replies.filter(({ status }) => status === 200).length, 1);
    assert.equal(replies.filter(({ status }) => status === 403).length, 24);
  }
  const [count] = await world.queryAsOwner<{ count: string }>(
    'select count(*) from api_token where deployment_id = $1',
    [place.id],
  );
  assert.equal(count?.count, '2');
});

test('tokens of others, for others, or with other claims are refused with one answer', async () => {
  const place = await world.deployment();
  await trustIn(place, {
    conditions: [
      { claim: 'repository', values: ['acme/*'] },
      { claim: 'ref', values: ['refs/heads/main', 'refs/heads/release-*'] },
      { claim: 'environment', values: ['production'] },
    ],
  });
  const good = { ref: 'refs/heads/release-2', environment: 'production' };
  const stranger = signingKey(key().id, generateKeyPairSync('rsa', { modulusLength: 2048 }));
  const now = Math.floor(Date.now() / 1000);
  const token = await jobToken(good);
  const [header = '', payload = '', signature = ''] = token.split('.');
  const hmac = new SignJWT(claimsOf(good)).setProtectedHeader({ alg: 'HS256', kid: key().id });
  const publicPem = Buffer.from(JSON.stringify(key().jwk));
  const refused: Record<string, string> = {
    'another repository': await jobToken({ ...good, repository: 'acme-evil/web' }),
    'another ref': await jobToken({ ...good, ref: 'refs/heads/mainly' }),
    'a missing claim': await jobToken({ ref: good.ref }),
    'another audience': await jobToken({ ...good, aud: 'https://other.example.com' }),
    'several audiences': await jobToken({ ...good, aud: [AUDIENCE, 'https://other.example.com'] }),
    'another issuer': await jobToken({ ...good, iss: 'https://token.actions.githubusercontent.com' }),
    expired: await jobToken({ ...good, iat: now - 900, exp: now - 120 }),
    'not yet valid': await jobToken({ ...good, nbf: now + 900 }),
    'too old': await jobToken({ ...good, iat: now - 90_000 }),
    'signed by a stranger under our key id': await signJobToken(stranger, claimsOf(good)),
    'an unknown key id': await signJobToken(signingKey('unknown'), claimsOf(good)),
    unsigned: new UnsecuredJWT(claimsOf(good)).encode(),
    'signed with the public key as a secret': await hmac.setExpirationTime('5m').setIssuedAt().sign(publicPem),
    'a changed payload': [header, encoded({ ...good, sub: 'x' }), signature].join('.'),
    'a padded signature': `${header}.${payload}.${signature}==`,
    'no token at all': 'abc',
  };
  for (const [what, text] of Object.entries(refused)) {
    const { status, problem } = await exchange(place, text);
    assert.deepEqual([status, problem.code], [403, 'CI_TOKEN_REFUSED'], what);
  }
  assert.equal((await exchange(place, token, 'no-such-place')).status, 403);
  assert.equal((await exchange(place, token)).status, 200);
  const elsewhere = await world.deployment();
  assert.equal((await exchange(elsewhere, await jobToken(good))).status, 403, 'a deployment without the trust');
});

test('administrators see why the last token was refused, and only of tokens that the issuer signed', async () => {
  const place = await world.deployment();
  await trustIn(place);
  await exchange(place, await signJobToken(signingKey('unknown'), claimsOf()));
  assert.equal((await firstTrust(place))?.lastRefusal, '');
  await exchange(place, await jobToken({ repository: 'evil/web' }));
  assert.match((await firstTrust(place))?.lastRefusal ?? '', /claim repository is "evil\/web"/);
  const records = await world.queryAsOwner(
    `select from audit_record where deployment_id = $1 and result = 'CI_TOKEN_REFUSED'`,
    [place.id],
  );
  assert.equal(records.length, 1);
});

test('a new key is found once a minute, and an issuer that speaks for another is not used', async () => {
  const place = await world.deployment();
  await trustIn(place);
  assert.equal((await exchange(place, await jobToken())).status, 200);
  issuer.keys = [signingKey()];
  const before = issuer.downloads;
  assert.equal((await exchange(place, await jobToken())).status, 403, 'downloaded less than a minute ago');
  assert.equal(issuer.downloads, before);
  world.clockOffsetMs += 61_000;
  const later = () => signJobToken(key(), claimsOf(), new Date(Date.now() + world.clockOffsetMs));
  const replies = await Promise.all([later(), later(), later()].map(async (token) => exchange(place, await token)));
  assert.deepEqual(
    replies.map(({ status }) => status),
    [200, 200, 200],
  );
  assert.equal(issuer.downloads, before + 1, 'concurrent requests share a download');
  issuer.announced = 'https://token.actions.githubusercontent.com';
  issuer.keys = [signingKey()];
  world.clockOffsetMs += 61_000;
  const refused = await exchange(place, await later());
  assert.deepEqual([refused.status, refused.problem.code], [502, 'CI_ISSUER_UNAVAILABLE']);
  issuer.announced = issuer.url;
  world.clockOffsetMs += 61_000;
  assert.equal((await exchange(place, await later())).status, 200);
  world.clockOffsetMs = 0;
});

test('changing, disabling or deleting a trust ends its tokens at once', async () => {
  const place = await world.deployment();
  const path = { deploymentId: place.id, ciTrustId: (await trustIn(place)) as never };
  const issued = async () => (await exchange(place, await jobToken())).body.access_token;
  const one = await issued();
  const {
    id: _,
    createdAt,
    lastUsedAt,
    lastProject,
    lastRefusal,
    lastRefusedAt,
    ...body
  } = (await firstTrust(place)) ?? ({} as never);
  assert.equal((await start(one, 'acme/web')).status, 200);
  const changed = await adminOf(place).updateCiTrust({ path, body: { ...body, enabled: false } });
  assert.deepEqual([changed.status, changed.body.trust.enabled], [200, false]);
  assert.equal((await start(one, 'acme/web')).status, 401);
  assert.equal((await exchange(place, await jobToken())).status, 403, 'disabled');
  await adminOf(place).updateCiTrust({ path, body });
  const two = await issued();
  assert.equal((await start(two, 'acme/web')).status, 200);
  assert.equal((await adminOf(place).deleteCiTrust({ path })).status, 200);
  assert.equal((await start(two, 'acme/web')).status, 401);
});

test('a trust that would trust everybody is refused', async () => {
  const place = await world.deployment();
  const { problem } = await adminOf(place).createCiTrust({
    path: { deploymentId: place.id },
    body: {
      name: 'All of GitHub',
      provider: 'GITHUB_ACTIONS',
      issuer: 'http://169.254.169.254/latest',
      audience: AUDIENCE,
      conditions: [{ claim: 'ref', values: ['refs/heads/main'] }],
      project: '',
    },
  });
  assert.deepEqual([problem.code, problem.errors?.length], ['CI_TRUST_REFUSED', 2]);
});
