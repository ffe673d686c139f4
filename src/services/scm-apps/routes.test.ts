import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { after, before, test } from 'node:test';
import * as configContract from '#services/scm/contract.ts';
import { syncNow } from '#test/support/hosts/connected-hosts.ts';
import { FakeGithubHost } from '#test/support/hosts/fake-github.ts';
import { World } from '#test/support/world/world.ts';
import * as contract from './contract.ts';

let world: World;
let github: FakeGithubHost;

before(async () => {
  github = await FakeGithubHost.start();
  world = await World.start({ PARAPET_EGRESS_ALLOW: `127.0.0.1:${github.port}` });
});
after(async () => {
  await world.stop();
  await github.stop();
});

test('an app is created from a manifest, installed, used, and its secret is replaced', async () => {
  const place = await world.deployment();
  const api = world.as(contract, place.admin.jwt);
  const body = { deploymentId: place.id as never, baseUrl: github.url, namespace: 'acme' };
  const asked = await api.createScmAppRequest({ body });
  assert.equal(asked.status, 200, JSON.stringify(asked.problem));
  const { requestId, manifest, formUrl } = asked.body;
  assert.equal(formUrl, `${github.url}/organizations/acme/settings/apps/new?state=${requestId}`);
  const { hook_attributes: hook, public: isPublic } = JSON.parse(manifest) as {
    hook_attributes: { url: string };
    public: boolean;
  };
  assert.equal(isPublic, false);
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = String(privateKey.export({ type: 'pkcs1', format: 'pem' }));
  github.manifestCodes.set('good-code', { pem, secret: 'secret-of-github' });

  // Somebody else cannot finish it, a wrong code does not use it up, and a reload answers the same.
  const other = await world.member(place, 'ORG_ROLE_ADMIN');
  const stolen = await world.as(contract, other.jwt).completeScmAppRequest({ body: { requestId, code: 'good-code' } });
  assert.equal(stolen.problem.code, 'SCM_APP_REQUEST_REFUSED');
  const elsewhere = await world.deployment();
  const foreign = await world
    .as(contract, elsewhere.admin.jwt)
    .completeScmAppRequest({ body: { requestId, code: 'good-code' } });
  assert.equal(foreign.status, 404);
  assert.equal((await api.completeScmAppRequest({ body: { requestId, code: 'bad' } })).problem.code, 'SCM_REFUSED');
  const made = await api.completeScmAppRequest({ body: { requestId, code: 'good-code' } });
  assert.deepEqual([made.status, made.body.app.slug, made.body.app.appId], [200, 'parapet-acme', '4711']);
  const again = await api.completeScmAppRequest({ body: { requestId, code: 'good-code' } });
  assert.deepEqual(again.body, made.body);

  const path = { deploymentId: place.id };
  const configs = world.as(configContract, place.admin.jwt);
  const config = async () => (await configs.listScmConfig({ path })).body.configs[0];
  const first = await config();
  assert.deepEqual(
    [first?.status.error, first?.installed, first?.app?.slug, first?.subscriptions.length],
    ['The app is not installed in acme.', false, 'parapet-acme', 1],
  );
  assert.doesNotMatch(JSON.stringify(first), /PRIVATE KEY|secret-of-github/);

  github.installation = { id: 55, permissions: { metadata: 'read', contents: 'read', pull_requests: 'write' } };
  world.clockOffsetMs = 61_000;
  const checked = await configs.checkScmConfig({ path: { ...path, configId: first?.id ?? ('' as never) } });
  assert.deepEqual(
    [checked.body.status.ok, checked.body.tokenScopes.writePullRequestComment, checked.body.tokenScopes.readMembers],
    [true, true, false],
  );
  assert.equal((await api.getGitHubAppStatus({ path, query: { namespace: 'Acme' } })).body.installed, true);
  github.addRepository('acme/web');
  assert.equal((await syncNow({ world, place }, first?.id ?? ''))?.added, 1);

  const id = made.body.app.id;
  const deliver = (secret: string) => {
    const { headers, body: content } = github.deliver({ secret }, 'installation', { action: 'suspend' });
    return fetch(hook.url, { method: 'POST', headers, body: content }).then(({ status }) => status);
  };
  assert.equal(await deliver('secret-of-github'), 202);
  const rotated = await api.rotateScmAppWebhookSecret({ path: { ...path, scmAppId: id } });
  assert.deepEqual(rotated.body, { success: true });
  assert.notEqual(github.appHookSecret, 'secret-of-github');
  assert.deepEqual([await deliver(github.appHookSecret), await deliver('secret-of-github')], [202, 202]);

  assert.equal((await api.getScmApp({ path: { ...path, requestId } })).body.app.id, id);
  assert.equal((await api.deleteScmApp({ path: { ...path, scmAppId: id } })).status, 200);
  assert.deepEqual([(await api.listScmApps({ path })).body.apps, (await config())?.app], [[], undefined]);
  assert.equal(await deliver(github.appHookSecret), 401);
  world.clockOffsetMs = 0;
});

test('a request expires after an hour, and names only hosts that this server calls', async () => {
  const place = await world.deployment();
  const api = world.as(contract, place.admin.jwt);
  const body = { deploymentId: place.id as never, baseUrl: github.url, namespace: 'acme' };
  const { requestId } = (await api.createScmAppRequest({ body })).body;
  world.clockOffsetMs = 3_700_000;
  const late = world.as(contract, (await world.signIn(place.admin)).jwt);
  const calls = github.calls.length;
  const refused = await late.completeScmAppRequest({ body: { requestId, code: 'good-code' } });
  assert.deepEqual([refused.problem.code, github.calls.length], ['SCM_APP_REQUEST_REFUSED', calls]);
  world.clockOffsetMs = 0;
  const inside = await api.createScmAppRequest({ body: { ...body, baseUrl: 'http://10.0.0.1' } });
  assert.equal(inside.problem.code, 'SCM_APP_REFUSED');
});
