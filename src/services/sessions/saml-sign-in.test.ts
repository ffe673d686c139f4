import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { inflateRawSync } from 'node:zlib';
import * as providers from '#services/deployment-sso-providers/contract.ts';
import * as settings from '#services/deployment-sso-providers/settings-contract.ts';
import { cookiesOf, proveDomain } from '#test/support/factories/sso.ts';
import { type SamlAnswer, SamlProvider } from '#test/support/world/saml-provider.ts';
import { type TestDeployment, uniqueName, World } from '#test/support/world/world.ts';
import * as contract from './sso-contract.ts';

const idp = new SamlProvider();
const next = new SamlProvider();
let world: World;
let place: TestDeployment;
let providerId: providers.DeploymentSsoProvider['id'];
let addresses: { samlAcsUrl: string; samlEntityId: string; samlMetadataUrl: string };
before(async () => {
  world = await World.start();
  place = await world.deployment();
  await proveDomain(world, place, 'acme.example');
  const saml2Data = { idpIssuer: idp.issuer, idpSsoUrl: 'https://id.acme.example/sso', x509cert: idp.certificate };
  const made = await admin(providers).createDeploymentSsoProvider({
    path: { deploymentId: place.id },
    body: { enabled: true, provider: { name: 'Acme', type: 'SSO_TYPE_SAML2', saml2Data } },
  });
  assert.equal(made.status, 200, JSON.stringify(made.problem));
  providerId = made.body.provider.id as typeof providerId;
  addresses = await change({});
});
after(() => world.stop());

const admin = <Contract extends object>(of: Contract) => world.as(of, place.admin.jwt);
const path = () => ({ deploymentId: place.id, providerId });
const change = async (part: object) => {
  const body = {
    ...{ groupsClaim: 'groups', idTokenAlg: '', trustsEmail: true, emailClaim: '', secondCertificate: '' },
    ...{ allowsIdpInitiated: false, groups: [{ group: 'staff', role: 'ORG_ROLE_MEMBER' as const, teamIds: [] }] },
    ...part,
  };
  const { status, body: reply, problem } = await admin(settings).updateSsoSignIn({ path: path(), body });
  assert.equal(status, 200, JSON.stringify(problem));
  return reply.signIn;
};

/** Starts a sign-in: the id of the request that the browser carries to the provider, and its cookie. */
async function start() {
  const { body } = await world.as(contract).listSignInWays({ body: { email: 'a@acme.example' } });
  const started = await world.as(contract).startSignIn({ body: { way: body.ways[0]?.way ?? '' } });
  assert.equal(started.status, 200, JSON.stringify(started.problem));
  const request = new URL(started.body.redirectUrl).searchParams.get('SAMLRequest') ?? '';
  const xml = inflateRawSync(Buffer.from(request, 'base64')).toString('utf8');
  return { inResponseTo: / ID="([^"]+)"/.exec(xml)?.[1] ?? '', cookie: cookiesOf(started), xml };
}

const answerTo = (inResponseTo: string, part: Partial<SamlAnswer> = {}): SamlAnswer => {
  const name = uniqueName('person');
  return {
    ...{ inResponseTo, acs: addresses.samlAcsUrl, audience: addresses.samlEntityId, subject: name },
    attributes: { email: `${name}@acme.example`, displayName: name, groups: ['staff', 'other'] },
    ...part,
  };
};
const send = (response: string, cookie = '') =>
  world.as(contract).completeSignIn({
    body: { providerId, parameters: new URLSearchParams({ SAMLResponse: response }).toString() },
    headers: { cookie },
  });
const lastCheck = async () =>
  (await admin(settings).listSsoAttempts({ path: { deploymentId: place.id } })).body.attempts[0]?.failedCheck;
const checkOf = async (part: Partial<SamlAnswer>, from = idp) => {
  const { inResponseTo, cookie } = await start();
  const reply = await send(from.respond(answerTo(inResponseTo, part)), cookie);
  return reply.status === 200 ? '' : lastCheck();
};

describe('a sign-in with SAML', () => {
  test('takes the claims of a signed assertion or response, and gives the role of the groups', async () => {
    for (const signs of ['assertion', 'response', 'both'] as const) {
      const { inResponseTo, cookie, xml } = await start();
      assert.match(xml, new RegExp(`AssertionConsumerServiceURL="${addresses.samlAcsUrl}"`));
      const reply = await send(idp.respond(answerTo(inResponseTo, { signs })), cookie);
      assert.equal(reply.status, 200, `${signs} ${JSON.stringify(reply.problem)} ${await lastCheck()}`);
      assert.match(reply.body.session?.user.email ?? '', /@acme\.example$/);
    }
    const roles = await world.queryAsOwner<{ role: string }>(
      `select distinct role from membership join account on account.id = account_id where email like '%@acme.example'`,
    );
    assert.deepEqual(roles, [{ role: 'ORG_ROLE_MEMBER' }]);
  });

  test('is refused for another issuer, recipient, audience, time, key, algorithm or request (SSO-05, SSO-06)', async () => {
    assert.equal(await checkOf({ issuer: 'https://evil.example' }), 'issuer');
    assert.equal(await checkOf({ acs: 'https://evil.example/acs' }), 'audience');
    assert.equal(await checkOf({ audience: 'https://evil.example' }), 'audience');
    assert.equal(await checkOf({ ageMs: 700_000 }), 'time');
    assert.equal(await checkOf({ ageMs: -120_000 }), 'time');
    assert.equal(await checkOf({}, next), 'signature');
    assert.equal(await checkOf({ signs: 'nothing' }), 'signature');
    assert.equal(await checkOf({ algorithm: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1' }), 'signature');
    assert.equal(await checkOf({ inResponseTo: '_of-another-browser' }), 'same_browser');
    assert.equal(await checkOf({ inResponseTo: '' }), 'same_browser');
    assert.equal(await checkOf({ nameIdFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient' }), 'claims');
    assert.equal(await checkOf({ attributes: {} }), 'email_present');
  });

  test('accepts a response once, even with concurrent requests on two servers (SSO-06)', async () => {
    await change({ allowsIdpInitiated: true });
    const other = await world.startBeside();
    try {
      const response = idp.respond(answerTo(''));
      const body = { providerId, parameters: new URLSearchParams({ SAMLResponse: response }).toString() };
      const calls = [world, other, world, other].map((one) => one.as(contract).completeSignIn({ body }));
      const statuses = (await Promise.all(calls)).map(({ status }) => status);
      assert.deepEqual(statuses.sort(), [200, 401, 401, 401]);
    } finally {
      await other.stop();
    }
    await change({});
    assert.equal((await send(idp.respond(answerTo('')))).problem.code, 'SSO_REFUSED');
  });

  test('accepts two certificates while the provider rolls over', async () => {
    await change({ secondCertificate: next.certificate });
    assert.deepEqual([await checkOf({}), await checkOf({}, next)], ['', '']);
    await change({});
    assert.equal(await checkOf({}, next), 'signature');
  });

  test('needs the setting that vouches for addresses', async () => {
    await change({ trustsEmail: false });
    assert.equal(await checkOf({}), 'email_verified');
    await change({});
  });
});

test('the metadata names this server, and the response comes back to the console through a page', async () => {
  const metadata = await (await fetch(addresses.samlMetadataUrl)).text();
  assert.match(metadata, new RegExp(`entityID="${addresses.samlEntityId}"`));
  assert.ok(metadata.includes(addresses.samlAcsUrl));
  const body = new URLSearchParams({ SAMLResponse: 'PD94"><script>' });
  const page = await fetch(addresses.samlAcsUrl, { method: 'POST', body });
  assert.match(page.headers.get('content-security-policy') ?? '', /script-src 'self'/);
  const text = await page.text();
  assert.ok(
    text.includes(`data-provider="${providerId}"`) && text.includes('data-response="PD94&quot;&gt;&lt;script&gt;"'),
  );
});
