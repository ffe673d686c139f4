import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import * as providers from '#services/deployment-sso-providers/contract.ts';
import * as settings from '#services/deployment-sso-providers/settings-contract.ts';
import * as users from '#services/users/contract.ts';
import { cookiesOf, proveDomain } from '#test/support/factories/sso.ts';
import { IdentityProvider } from '#test/support/world/identity-provider.ts';
import { type TestDeployment, uniqueName, World } from '#test/support/world/world.ts';
import * as sessions from './contract.ts';
import * as contract from './sso-contract.ts';

let idp: IdentityProvider;
let world: World;
before(async () => {
  idp = await IdentityProvider.start();
  world = await World.start({ PARAPET_EGRESS_ALLOW: `127.0.0.1:${idp.port}` });
});
after(async () => {
  await world.stop();
  await idp.stop();
});

const SETTINGS = {
  ...{ groupsClaim: 'groups', idTokenAlg: '', trustsEmail: false },
  ...{ emailClaim: '', secondCertificate: '', allowsIdpInitiated: false },
};

interface Organization {
  place: TestDeployment;
  domain: string;
  providerId: providers.DeploymentSsoProvider['id'];
  clientId: string;
  path: { deploymentId: string; providerId: providers.DeploymentSsoProvider['id'] };
}

/** A deployment with a proved domain and an enabled provider. */
async function organization({ isProved = true } = {}): Promise<Organization> {
  const place = await world.deployment();
  const domain = `${uniqueName('acme')}.example`;
  if (isProved) await proveDomain(world, place, domain);
  const clientId = uniqueName('client');
  const made = await world.as(providers, place.admin.jwt).createDeploymentSsoProvider({
    path: { deploymentId: place.id },
    body: {
      enabled: true,
      provider: {
        name: uniqueName('Acme '),
        type: 'SSO_TYPE_OPENID',
        openidData: { clientId, clientSecret: 'a secret of the client', wellKnownUrl: idp.wellKnownUrl },
      },
    },
  });
  assert.equal(made.status, 200, JSON.stringify(made.problem));
  const providerId = made.body.provider.id as Organization['providerId'];
  const path = { deploymentId: place.id, providerId };
  const { signIn } = (await world.as(settings, place.admin.jwt).getSsoSignIn({ path })).body;
  idp.clients.set(clientId, {
    ...{ id: clientId, secret: 'a secret of the client', redirectUri: signIn.redirectUri },
    ...{ logoutUri: signIn.backChannelLogoutUri, postLogoutUri: signIn.postLogoutRedirectUri },
  });
  return { place, domain, providerId, path, clientId };
}

const be = (domain: string, more: Record<string, unknown> = {}) => {
  const name = uniqueName('person');
  idp.person = { sub: name, email: `${name}@${domain}`, email_verified: true, name, ...more };
  return idp.person as { sub: string; email: string };
};

/** Starts a sign-in and visits the provider: what the browser then sends to this server. */
async function visit({ domain, providerId }: Organization) {
  const { body } = await world.as(contract).listSignInWays({ body: { email: `somebody@${domain}` } });
  const [way] = body.ways;
  assert.ok(way, 'there is no way to sign in');
  const started = await world.as(contract).startSignIn({ body: { way: way.way, next: '/o/acme' } });
  assert.equal(started.status, 200, JSON.stringify(started.problem));
  const parameters = await idp.visit(started.body.redirectUrl);
  return { body: { providerId, parameters }, headers: { cookie: cookiesOf(started) } };
}

const complete = (visited: Awaited<ReturnType<typeof visit>>) => world.as(contract).completeSignIn(visited);
const signIn = async (place: Organization) => complete(await visit(place));
const attemptsOf = async ({ place }: Organization) =>
  (await world.as(settings, place.admin.jwt).listSsoAttempts({ path: { deploymentId: place.id } })).body.attempts;
const roleOf = async ({ place }: Organization, email: string) => {
  const [row] = await world.queryAsOwner<{ role: string }>(
    `select role from membership join account on account.id = account_id where deployment_id = $1 and email = $2`,
    [place.id, email],
  );
  return row?.role;
};
const refusedCheck = async (place: Organization) => {
  const reply = await signIn(place);
  assert.deepEqual([reply.status, reply.problem.code], [401, 'SSO_REFUSED']);
  return (await attemptsOf(place))[0]?.failedCheck;
};

describe('a sign-in with OpenID Connect', () => {
  test('creates a member with the least role, and the second one finds the account by issuer and subject', async () => {
    const acme = await organization();
    const person = be(acme.domain);
    const first = await signIn(acme);
    assert.equal(first.status, 200, JSON.stringify(first.problem));
    assert.deepEqual([first.body.outcome, first.body.next], ['signed_in', '/o/acme']);
    assert.equal(await roleOf(acme, person.email), 'ORG_ROLE_READONLY');
    const token = first.body.session?.accessToken ?? '';
    assert.equal((await world.as(users, token).getUser({})).body.user.email, person.email);
    idp.person = { ...idp.person, email: `renamed@${acme.domain}` };
    const second = await signIn(acme);
    assert.equal(second.body.session?.user.id, first.body.session?.user.id);
    assert.deepEqual(
      (await attemptsOf(acme)).map(({ failedCheck, mode }) => [failedCheck, mode]),
      [
        ['', 'sign-in'],
        ['', 'sign-in'],
      ],
    );
  });

  test('works once, in the browser that began it, and with its own provider (SSO-03)', async () => {
    const acme = await organization();
    const other = await organization();
    be(acme.domain);
    const visited = await visit(acme);
    const codeOf = async (call: typeof visited) => (await complete(call)).problem?.code;
    assert.equal(await codeOf({ ...visited, headers: { cookie: '' } }), 'SSO_REFUSED');
    const elsewhere = await visit(acme);
    assert.equal(await codeOf({ ...visited, headers: elsewhere.headers }), 'SSO_REFUSED');
    assert.equal((await attemptsOf(acme))[0]?.failedCheck, 'same_browser');
    assert.equal(await codeOf({ ...visited, body: { ...visited.body, providerId: other.providerId } }), 'SSO_REFUSED');
    const together = await Promise.all([complete(visited), complete(visited), complete(visited)]);
    assert.deepEqual(together.map(({ status }) => status).sort(), [200, 401, 401]);
    const checks = (await attemptsOf(acme)).slice(0, 3).map(({ failedCheck }) => failedCheck);
    assert.deepEqual(checks.sort(), ['', 'used_once', 'used_once']);
  });

  test('needs a proved domain, a verified address and an enabled provider (SSO-02, SSO-09)', async () => {
    const acme = await organization();
    be('elsewhere.example');
    assert.equal(await refusedCheck(acme), 'domain_proved');
    be(acme.domain, { email_verified: false });
    assert.equal(await refusedCheck(acme), 'email_verified');
    be(acme.domain, { email: undefined });
    assert.equal(await refusedCheck(acme), 'email_present');
    be(acme.domain);
    const visited = await visit(acme);
    await world.queryAsOwner('update sso_provider set is_enabled = false where id = $1', [acme.providerId]);
    assert.equal((await complete(visited)).status, 401);
    assert.equal((await attemptsOf(acme))[0]?.failedCheck, 'provider_enabled');
    const ways = await world.as(contract).listSignInWays({ body: { email: `x@${acme.domain}` } });
    assert.deepEqual(ways.body.ways, []);
  });

  test('never takes over the account of another domain, or of an administrator of the server (SSO-01)', async () => {
    const [acme, evil] = [await organization(), await organization()];
    const person = be(acme.domain);
    await signIn(acme);
    // The provider of another deployment tells the address and even the subject of the person.
    assert.equal(await refusedCheck(evil), 'domain_proved');
    const root = await world.account();
    await world.queryAsOwner('update account set email = $2, email_key = $2 where id = $1', [
      root.id,
      `root@${acme.domain}`,
    ]);
    await world.promote(root);
    be(acme.domain, { email: `root@${acme.domain}` });
    assert.equal(await refusedCheck(acme), 'account_linked');
    assert.equal(await roleOf(evil, person.email), undefined);
  });

  test('links an existing account of the domain, and not a disabled one or one with a second factor', async () => {
    const acme = await organization();
    const person = be(acme.domain);
    const { id } = await world.account();
    await world.queryAsOwner('update account set email = $2, email_key = $2 where id = $1', [id, person.email]);
    await world.queryAsOwner("insert into account_totp values ($1, 'sealed', now(), now())", [id]);
    assert.equal(await refusedCheck(acme), 'account_linked');
    await world.queryAsOwner('delete from account_totp where account_id = $1', [id]);
    assert.equal((await signIn(acme)).body.session?.user.id, id);
    await world.queryAsOwner('update account set disabled_at = now() where id = $1', [id]);
    assert.equal(await refusedCheck(acme), 'account_open');
  });

  test('gives the role and teams of the groups, and takes them away with the groups', async () => {
    const acme = await organization();
    const [team] = await world.queryAsOwner<{ id: string }>(
      `insert into team (deployment_id, name, name_key, slug) values ($1, 'Blue', 'blue', 'blue') returning id`,
      [acme.place.id],
    );
    const groups = [
      { group: 'admins', role: 'ORG_ROLE_ADMIN' as const, teamIds: [] },
      { group: 'blue', role: 'ORG_ROLE_MEMBER' as const, teamIds: [team?.id as never] },
    ];
    const body = { ...SETTINGS, idTokenAlg: 'RS256', groups };
    const saved = await world.as(settings, acme.place.admin.jwt).updateSsoSignIn({ path: acme.path, body });
    assert.equal(saved.status, 200, JSON.stringify(saved.problem));
    const person = be(acme.domain, { groups: ['blue', 'other'] });
    const teamsOf = async () =>
      (
        await world.queryAsOwner(
          'select from team_member join account on account.id = account_id where team_id = $1 and email = $2',
          [team?.id, person.email],
        )
      ).length;
    assert.equal((await signIn(acme)).status, 200);
    assert.deepEqual([await roleOf(acme, person.email), await teamsOf()], ['ORG_ROLE_MEMBER', 1]);
    idp.person = { ...idp.person, groups: ['admins'] };
    await signIn(acme);
    assert.deepEqual([await roleOf(acme, person.email), await teamsOf()], ['ORG_ROLE_ADMIN', 0]);
    idp.person = { ...idp.person, groups: [] };
    await signIn(acme);
    assert.equal(await roleOf(acme, person.email), 'ORG_ROLE_READONLY');
  });

  test('works after the provider has changed its keys', async () => {
    const acme = await organization();
    be(acme.domain);
    assert.equal((await signIn(acme)).status, 200);
    idp.rotateKeys();
    assert.equal((await signIn(acme)).status, 200);
  });
});

describe('sessions of a provider', () => {
  const statusOf = async (token = '') => (await world.as(users, token).getUser({})).status;

  test('end at the provider too when a person signs out, and by its logout token, once', async () => {
    const acme = await organization();
    be(acme.domain);
    const token = (await signIn(acme)).body.session?.accessToken;
    const out = await world.as(sessions, token).deleteSession({});
    const address = new URL(out.body.signOutUrl ?? '');
    assert.equal(address.origin, idp.issuer);
    assert.equal(address.searchParams.get('post_logout_redirect_uri'), `${world.baseUrl}/sign-in`);
    const again = (await signIn(acme)).body.session?.accessToken;
    assert.equal(await statusOf(again), 200);
    const send = (body: string) =>
      fetch(`${world.baseUrl}/api/auth/sso/logout/${acme.providerId}`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body,
      });
    assert.equal((await send('logout_token=a.b.c')).status, 400);
    const [at] = await world.queryAsOwner<{ subject: string; idp_session: string }>(
      'select subject, idp_session from sso_session where provider_id = $1 order by session_id desc limit 1',
      [acme.providerId],
    );
    const order = await idp.logOut(acme.clientId, at?.subject ?? '', at?.idp_session ?? '');
    assert.equal(await statusOf(again), 401);
    assert.equal((await send(order)).status, 400);
  });

  test('end when the provider is changed or deleted (SSO-08)', async () => {
    const acme = await organization();
    be(acme.domain);
    const first = (await signIn(acme)).body.session?.accessToken;
    const body = { ...SETTINGS, groups: [] };
    await world.as(settings, acme.place.admin.jwt).updateSsoSignIn({ path: acme.path, body });
    assert.equal(await statusOf(first), 401);
    const second = (await signIn(acme)).body.session?.accessToken;
    await world.as(providers, acme.place.admin.jwt).deleteDeploymentSsoProvider({ path: acme.path });
    assert.equal(await statusOf(second), 401);
  });
});

describe('a test sign-in', () => {
  async function testSignIn({ place, path, providerId }: Organization, link = false) {
    const started = await world.as(settings, place.admin.jwt).startSsoTest({ path, body: { link } });
    assert.equal(started.status, 200, JSON.stringify(started.problem));
    const parameters = await idp.visit(started.body.redirectUrl);
    return complete({ body: { providerId, parameters }, headers: { cookie: cookiesOf(started) } });
  }

  test('shows the claims, the role and the teams, changes nothing, and names the check that failed', async () => {
    const acme = await organization();
    const person = be(acme.domain, { groups: ['a'] });
    const { body } = await testSignIn(acme);
    assert.deepEqual([body.outcome, body.session], ['tested', undefined]);
    const [attempt] = await attemptsOf(acme);
    assert.deepEqual(
      [attempt?.id, attempt?.mode, attempt?.failedCheck, attempt?.role, attempt?.groups],
      [body.attemptId, 'test', '', 'ORG_ROLE_READONLY', ['a']],
    );
    assert.equal(JSON.parse(attempt?.claims ?? '').email, person.email);
    assert.equal(await roleOf(acme, person.email), undefined);
    be('elsewhere.example');
    assert.equal((await testSignIn(acme)).body.outcome, 'tested');
    assert.match((await attemptsOf(acme))[0]?.detail ?? '', /elsewhere\.example is not proved/);
  });

  test('can link the account of whoever is signed in, and then signs them in', async () => {
    const acme = await organization();
    await world.promote(acme.place.admin);
    be(acme.domain);
    assert.equal((await testSignIn(acme, true)).body.outcome, 'linked');
    assert.equal((await signIn(acme)).body.session?.user.id, acme.place.admin.id);
    assert.equal(await roleOf(acme, acme.place.admin.email), 'ORG_ROLE_ADMIN');
  });
});
