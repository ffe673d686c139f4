import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openSecret } from '#domain/deployments/secrets.ts';
import { reveal } from '#kernel/crypto/secret.ts';
import { CERTIFICATE, EXPIRED } from '#test/support/world/certificates.ts';
import { FakeVendor } from '#test/support/world/fake-vendor.ts';
import { type TestDeployment, uniqueName, World } from '#test/support/world/world.ts';
import * as contract from './contract.ts';

let idp: FakeVendor;
let world: World;
let place: TestDeployment;
before(async () => {
  idp = await FakeVendor.start();
  world = await World.start({ PARAPET_EGRESS_ALLOW: `127.0.0.1:${idp.port}` });
  place = await world.deployment();
});
after(async () => {
  await world.stop();
  await idp.stop();
});

const admin = () => world.as(contract, place.admin.jwt);
const path = () => ({ deploymentId: place.id });
const WELL_KNOWN = '/.well-known/openid-configuration';
const openid = (data: object = {}): contract.SsoProviderInput => ({
  name: uniqueName('Acme '),
  type: 'SSO_TYPE_OPENID',
  openidData: { clientId: 'parapet', wellKnownUrl: idp.urlOf(WELL_KNOWN), ...data },
});
const create = (provider: contract.SsoProviderInput) =>
  admin().createDeploymentSsoProvider({ path: path(), body: { enabled: true, provider } });

async function made(provider: contract.SsoProviderInput) {
  const { status, body, problem } = await create(provider);
  assert.equal(status, 200, JSON.stringify(problem));
  return { ...path(), providerId: body.provider.id };
}

/** The secret as it is stored, opened with the deployment's key. */
async function secretOf(providerId: string): Promise<string | undefined> {
  const [row] = await world.queryAsOwner<{ sealed: string | null }>(
    'select openid_client_secret as sealed from sso_provider where id = $1',
    [providerId],
  );
  const sealed = row?.sealed;
  if (!sealed) return undefined;
  const at = { deployment: place.id, table: 'sso_provider', column: 'openid_client_secret', row: providerId };
  return world.inDeployment(place, async (tx) => reveal(await openSecret(tx, world.keys, at, sealed)));
}

describe('create and change a provider', () => {
  test('the mask keeps the secret; a new secret replaces it; an empty one removes it (SEC-01)', async () => {
    const provider = openid({ clientSecret: 'first' });
    const where = await made(provider);
    const put = async (clientSecret: string | undefined) => {
      const body = { provider: { ...provider, openidData: { ...provider.openidData, clientSecret } } };
      const answer = await admin().updateDeploymentSsoProvider({ path: where, body });
      assert.equal(answer.status, 200, JSON.stringify(answer.problem));
      return [answer.body.provider.provider.openidData.clientSecret, await secretOf(where.providerId)];
    };
    assert.deepEqual(await put('********'), ['********', 'first']);
    assert.deepEqual(await put(undefined), ['********', 'first']);
    assert.deepEqual(await put('second'), ['********', 'second']);
    assert.deepEqual(await put(''), ['', undefined]);
    assert.deepEqual(await put('********'), ['', undefined]);
  });

  test('the mask is refused as the secret of a new provider', async () => {
    const { problem } = await create(openid({ clientSecret: '********' }));
    assert.deepEqual([problem.code, problem.errors[0]?.code], ['SSO_PROVIDER_REFUSED', 'MASK']);
  });

  test('a stored secret cannot be redirected to other URLs without knowing it (SRF-01)', async () => {
    const provider = openid({ clientSecret: 'first' });
    const where = await made(provider);
    const moved = { ...provider.openidData, tokenUri: idp.urlOf('/evil'), clientSecret: '********' };
    const body = { provider: { ...provider, openidData: moved } };
    const { problem } = await admin().updateDeploymentSsoProvider({ path: where, body });
    assert.equal(problem.code, 'SSO_SECRET_REQUIRED');
    const known = { provider: { ...provider, openidData: { ...moved, clientSecret: 'first' } } };
    assert.equal((await admin().updateDeploymentSsoProvider({ path: where, body: known })).status, 200);
  });

  test('an invalid x509cert and a URL without TLS are refused by pointer', async () => {
    const saml2Data = { idpIssuer: 'acme', idpSsoUrl: 'http://id.acme.example/sso', x509cert: 'none' };
    const { problem } = await create({ name: uniqueName('Acme '), type: 'SSO_TYPE_SAML2', saml2Data });
    assert.deepEqual(
      problem.errors.map(({ code }) => code),
      ['NOT_A_CERTIFICATE', 'URL_REFUSED'],
    );
  });

  test('names are unique, ignoring case, and a provider can keep its own', async () => {
    const provider = openid();
    const where = await made(provider);
    const again = await create({ ...provider, name: provider.name.toUpperCase() });
    assert.equal(again.problem.code, 'SSO_PROVIDER_NAME_TAKEN');
    const same = await admin().updateDeploymentSsoProvider({ path: where, body: { provider } });
    assert.equal(same.status, 200);
    const other = await made(openid());
    const taken = await admin().updateDeploymentSsoProvider({ path: other, body: { provider } });
    assert.equal(taken.problem.code, 'SSO_PROVIDER_NAME_TAKEN');
  });

  test('only signed-in administrators may do it (SSO-08)', async () => {
    const member = await world.member(place);
    const body = { provider: openid() };
    const call = (token: string) => world.as(contract, token).createDeploymentSsoProvider({ path: path(), body });
    assert.equal((await call(member.jwt)).problem.code, 'PERMISSION_DENIED');
    assert.equal((await call((await world.token(place)).text)).problem.code, 'USER_JWT_REQUIRED');
  });

  test('there are at most twenty, even with concurrent requests (CON-04)', async () => {
    const crowded = await world.deployment();
    const client = world.as(contract, crowded.admin.jwt);
    const call = () =>
      client.createDeploymentSsoProvider({ path: { deploymentId: crowded.id }, body: { provider: openid() } });
    for (let count = 0; count < contract.MAX_SSO_PROVIDERS - 2; count++) assert.equal((await call()).status, 200);
    const replies = await Promise.all(Array.from({ length: 6 }, call));
    assert.equal(replies.filter(({ status }) => status === 200).length, 2);
    assert.equal(replies.filter(({ problem }) => problem?.code === 'SSO_PROVIDER_QUOTA').length, 4);
  });

  test('deleting a provider deletes its links and keeps the accounts', async () => {
    const where = await made(openid());
    await world.queryAsOwner(
      `insert into sso_identity (deployment_id, provider_id, issuer, subject, account_id)
       values ($1, $2, 'issuer', 'subject', $3)`,
      [place.id, where.providerId, place.admin.id],
    );
    assert.deepEqual((await admin().deleteDeploymentSsoProvider({ path: where })).body, {});
    const links = await world.queryAsOwner('select from sso_identity where provider_id = $1', [where.providerId]);
    const accounts = await world.queryAsOwner('select from account where id = $1', [place.admin.id]);
    assert.deepEqual([links.length, accounts.length], [0, 1]);
    assert.equal((await admin().deleteDeploymentSsoProvider({ path: where })).status, 404);
  });
});

describe('test a provider', () => {
  const document = (changed: object = {}) => ({
    issuer: idp.urlOf(''),
    authorization_endpoint: idp.urlOf('/auth'),
    token_endpoint: idp.urlOf('/token'),
    jwks_uri: idp.urlOf('/keys'),
    ...changed,
  });
  const publish = (value: unknown, status = 200) =>
    idp.on(WELL_KNOWN, (_, response) => response.writeHead(status).end(JSON.stringify(value)));
  const errorOf = async (provider: contract.SsoProviderInput) => {
    const { body, status } = await admin().testDeploymentSsoProvider({ path: await made(provider) });
    assert.equal(status, 200);
    assert.equal(body.valid, body.error === '');
    return body.error;
  };

  test('compares the discovery document with the stored values (SSO-03, SSO-04)', async () => {
    publish(document());
    assert.equal(await errorOf(openid()), '');
    assert.equal(await errorOf(openid({ tokenUri: idp.urlOf('/token') })), '');
    assert.equal(await errorOf(openid({ tokenUri: idp.urlOf('/other') })), 'endpoint_mismatch');
    publish(document({ issuer: 'https://evil.example' }));
    assert.equal(await errorOf(openid()), 'issuer_mismatch');
    publish(document({ jwks_uri: 'http://169.254.169.254/' }));
    assert.equal(await errorOf(openid()), 'denied_address');
  });

  test('returns fixed errors for garbage, refusals and redirects (SRF-05, SRF-08)', async () => {
    const provider = openid();
    const where = await made(provider);
    const test = async () => (await admin().testDeploymentSsoProvider({ path: where })).body.error;
    for (const value of [null, [], 'x', {}, document({ jwks_uri: 7 }), document({ token_endpoint: undefined })]) {
      publish(value);
      assert.equal(await test(), 'bad_response');
    }
    publish(document(), 500);
    assert.equal(await test(), 'bad_response');
    idp.on(WELL_KNOWN, (_, response) => response.writeHead(302, { location: '/token' }).end());
    assert.equal(await test(), 'bad_response');
  });

  test('sends no secret', async () => {
    publish(document());
    idp.arrivals.length = 0;
    await errorOf(openid({ clientSecret: 'canary' }));
    assert.equal(idp.arrivals.length, 1);
    assert.ok(!JSON.stringify(idp.arrivals).includes('canary'));
  });

  test('is denied for an internal address, and fails for an unknown host (SRF-02)', async () => {
    assert.equal(await errorOf(openid({ wellKnownUrl: 'https://id.acme.example/x' })), 'unreachable');
    world.resolve = () => ['10.0.0.1'];
    assert.equal(await errorOf(openid({ wellKnownUrl: 'https://id.acme.example/x' })), 'denied_address');
    world.resolve = () => [];
  });

  test('checks the validity period of a SAML certificate', async () => {
    const saml = (x509cert: string): contract.SsoProviderInput => ({
      name: uniqueName('Acme '),
      type: 'SSO_TYPE_SAML2',
      saml2Data: { idpIssuer: 'acme', idpSsoUrl: 'https://id.acme.example/sso', x509cert },
    });
    assert.equal(await errorOf(saml(CERTIFICATE)), '');
    assert.equal(await errorOf(saml(EXPIRED)), 'certificate_expired');
  });

  test('always succeeds for passwords, and fails without a discovery URL', async () => {
    assert.equal(await errorOf({ name: uniqueName('Acme '), type: 'SSO_TYPE_SIMPLE' }), '');
    assert.equal(await errorOf({ name: uniqueName('Acme '), type: 'SSO_TYPE_SCMHOST' }), 'no_discovery');
  });
});
