import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { CERTIFICATE } from '#test/support/world/certificates.ts';
import { type TestDeployment, World } from '#test/support/world/world.ts';
import * as contract from './contract.ts';

/** Operation 4.11 of the seed. */

const CANARY = 'canary-9c2b-Vt5-of-the-client';

let world: World;
let place: TestDeployment;
before(async () => {
  world = await World.start();
  place = await world.deployment();
});
after(() => world.stop());

const path = () => ({ deploymentId: place.id });
const list = (token: string) => world.as(contract, token).listDeploymentSsoProviders({ path: path() });
const create = async (provider: contract.SsoProviderInput) => {
  const made = await world
    .as(contract, place.admin.jwt)
    .createDeploymentSsoProvider({ path: path(), body: { enabled: true, provider } });
  assert.equal(made.status, 200, JSON.stringify(made.problem));
  return made.body.provider;
};

describe('list deployment SSO providers (seed 4.11)', () => {
  test('a deployment without providers has an empty list', async () => {
    const { status, body } = await list(place.admin.jwt);
    assert.deepEqual([status, body], [200, { providers: [] }]);
  });

  test('an entry has every member of seed 2.7, ids and counts as strings, and the secret masked (SEC-01)', async () => {
    const openid = await create({
      name: 'Acme',
      type: 'SSO_TYPE_OPENID',
      displayName: 'Acme sign-in',
      emailDomain: 'Acme.Example',
      baseUrl: 'https://id.acme.example',
      openidData: {
        clientId: 'parapet',
        clientSecret: CANARY,
        wellKnownUrl: 'https://id.acme.example/.well-known/openid-configuration',
      },
    });
    const saml = await create({
      name: 'Old Acme',
      type: 'SSO_TYPE_SAML2',
      saml2Data: { idpIssuer: 'acme', idpSsoUrl: 'https://id.acme.example/sso', x509cert: CERTIFICATE },
    });
    const { body } = await list(place.admin.jwt);
    assert.deepEqual(body.providers, [openid, saml]);
    assert.deepEqual(body.providers[0] as unknown, {
      id: openid.id,
      deploymentId: place.id,
      sourceId: openid.id,
      enabled: true,
      userCount: '0',
      provider: {
        id: openid.id,
        name: 'Acme',
        type: 'SSO_TYPE_OPENID',
        displayName: 'Acme sign-in',
        emailDomain: 'acme.example',
        baseUrl: 'https://id.acme.example',
        openidData: {
          clientId: 'parapet',
          clientSecret: '********',
          wellKnownUrl: 'https://id.acme.example/.well-known/openid-configuration',
          authUri: '',
          tokenUri: '',
          userinfoUri: '',
        },
        saml2Data: { idpIssuer: '', idpSsoUrl: '', x509cert: '', unspecifiedAuthnContext: false, spEntityId: '' },
        simpleData: {},
      },
    });
    assert.equal(saml.provider.openidData.clientSecret, '');
    assert.equal(typeof openid.id, 'string');
  });

  test('userCount is the number of linked accounts', async () => {
    const { id } = await create({ name: 'Linked', type: 'SSO_TYPE_SIMPLE' });
    await world.queryAsOwner(
      `insert into sso_identity (deployment_id, provider_id, issuer, subject, account_id)
       values ($1, $2, 'https://id.acme.example', 'subject', $3)`,
      [place.id, id, place.admin.id],
    );
    const entry = (await list(place.admin.jwt)).body.providers.find((one) => one.id === id);
    assert.equal(String(entry?.userCount), '1');
  });

  test('only administrators and their tokens see it, not even a count otherwise (AZN-03)', async () => {
    assert.equal((await list((await world.token(place)).text)).status, 200);
    for (const role of ['ORG_ROLE_MEMBER', 'ORG_ROLE_READONLY'])
      assert.equal((await list((await world.member(place, role)).jwt)).problem.code, 'PERMISSION_DENIED');
    const limited = await world.token(place, { role: 'TOKEN_ROLE_AGENT_CLI' });
    assert.equal((await list(limited.text)).problem.code, 'PERMISSION_DENIED');
  });

  test('the secret is nowhere in the database (SEC-02)', async () => {
    const rows = await world.queryAsOwner<{ row: string }>(
      `select sso_provider::text as row from sso_provider union all select audit_record::text from audit_record
       union all select idempotency::text from idempotency`,
    );
    const everything = rows.map(({ row }) => row).join('\n');
    assert.ok(everything.includes('https://id.acme.example/.well-known/openid-configuration'));
    for (const coding of ['utf8', 'base64', 'hex'] as const)
      assert.ok(!everything.includes(Buffer.from(CANARY).toString(coding).replace(/=+$/, '')));
  });
});
