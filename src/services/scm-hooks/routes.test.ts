import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { handleEvent } from '#domain/scm/handle-event.ts';
import { scmEventJob } from '#domain/scm/receive-delivery.ts';
import { hookAllRepositories } from '#domain/scm/subscribe.ts';
import * as configContract from '#services/scm/contract.ts';
import * as subscriptions from '#services/scm-subscriptions/contract.ts';
import { type AnyFakeHost, connectionTo, HOSTS, scmTransaction, syncNow } from '#test/support/hosts/connected-hosts.ts';
import type { FakeGitea } from '#test/support/hosts/fake-gitea.ts';
import type { FakeGitlabHost } from '#test/support/hosts/fake-gitlab.ts';
import type { FakeHook } from '#test/support/hosts/fake-host.ts';
import { type TestDeployment, World } from '#test/support/world/world.ts';

let world: World;
let hosts: AnyFakeHost[];
let place: TestDeployment;

before(async () => {
  hosts = await Promise.all(HOSTS.map((host) => host.start()));
  const allowed = hosts.map(({ port }) => `127.0.0.1:${port}`).join(',');
  world = await World.start({ PARAPET_EGRESS_ALLOW: allowed, PARAPET_LIMIT_ADDRESS: '60' });
});
after(async () => {
  await world.stop();
  await Promise.all(hosts.map((host) => host.stop()));
});
beforeEach(async () => {
  for (const host of hosts) host.repositories.length = host.hooks.length = host.pulls.length = 0;
  gitlab().hasGroupHooks = true;
  place = await world.deployment();
});

const gitea = () => hosts[0] as FakeGitea;
const gitlab = () => hosts[2] as FakeGitlabHost;
const scene = () => ({ world, place });
const sub = () => world.as(subscriptions, place.admin.jwt);

async function connect(host: AnyFakeHost) {
  const api = world.as(configContract, place.admin.jwt);
  const made = await api.createScmConfig({ path: { deploymentId: place.id }, body: connectionTo(host) });
  assert.equal(made.status, 201, JSON.stringify(made.problem));
  await syncNow(scene(), made.body.config.id);
  return { deploymentId: place.id, configId: made.body.config.id };
}

async function send(url: string, { headers, body }: { headers: Record<string, string>; body: string }) {
  const reply = await fetch(url, { method: 'POST', headers, body });
  await reply.text();
  return reply.status;
}

const jobs = () =>
  world.queryAsOwner<{ payload: typeof scmEventJob.payload._zod.output }>(
    `select payload from job where deployment_id = $1 and kind = $2 order by id`,
    [place.id, scmEventJob.kind],
  );

/** What a host sends when a pull request is opened. */
const opened = (host: AnyFakeHost, repository: number, number: number): [string, object] =>
  host.settings.provider === 'gitlab'
    ? [
        'Merge Request Hook',
        { object_kind: 'merge_request', project: { id: repository }, object_attributes: { iid: number } },
      ]
    : ['pull_request', { action: 'opened', number, repository: { id: repository }, pull_request: { number } }];

describe('webhooks of code hosts', () => {
  for (const [index, { name }] of HOSTS.entries())
    test(`${name} registers one, its deliveries are verified, stored once, and lead to a question`, async () => {
      const host = hosts[index] as AnyFakeHost;
      const web = host.addRepository('acme/web');
      const path = await connect(host);
      assert.equal((await sub().scmWebhookSubscriptionSubscribe({ path })).status, 200);
      assert.equal((await sub().scmWebhookSubscriptionSubscribe({ path })).problem.code, 'SCM_SUBSCRIBED');
      const [hook] = host.hooks as [FakeHook];
      assert.equal(host.hooks.length, 1);
      assert.match(hook.url, /\/hooks\/scm\/[\w-]{22}$/);
      const delivery = host.deliver(hook, ...opened(host, web.id, 5));
      assert.equal(await send(hook.url, delivery), 202);
      assert.equal(await send(hook.url, delivery), 202);
      const forged = host.deliver({ ...hook, secret: 'guessed' }, ...opened(host, web.id, 6));
      assert.equal(await send(hook.url, forged), 401);
      assert.equal(await send(hook.url.replace(/.{22}$/, 'A'.repeat(22)), delivery), 401);
      const ping = host.deliver(hook, 'ping', { zen: 'Keep it.' });
      assert.equal(await send(hook.url, ping), 202);
      const queued = await jobs();
      assert.deepEqual(
        queued.map(({ payload }) => [payload.event, payload.repository, payload.number]),
        [['pull_request', String(web.id), '5']],
      );
      host.pulls.push({ repository: web.id, number: 5, title: 'Add a door', state: 'merged', sha: 'abc' });
      const ref = { deployment: place.id, id: path.configId };
      const payload = queued[0]?.payload as NonNullable<(typeof queued)[0]>['payload'];
      await handleEvent(scmTransaction(scene()), world.assembly.services, { ref, payload, at: new Date() });
      assert.deepEqual(
        await world.queryAsOwner(
          'select number, state, head_sha, author from scm_pull_request where deployment_id = $1',
          [place.id],
        ),
        [{ number: '5', state: 'merged', head_sha: 'abc', author: 'jo' }],
      );
      assert.equal((await sub().scmWebhookSubscriptionUnsubscribe({ path })).status, 200);
      assert.equal(host.hooks.length, 0);
      assert.equal(await send(hook.url, delivery), 401);
    });

  test('a secret is replaced without losing a delivery, and stays if the host refuses', async () => {
    const host = gitea();
    const web = host.addRepository('acme/web');
    const path = await connect(host);
    await sub().scmWebhookSubscriptionSubscribe({ path });
    const old = { ...(host.hooks[0] as FakeHook) };
    host.fail({ matches: ({ method }) => method === 'PATCH', status: 403 });
    assert.deepEqual((await sub().rotateScmWebhookSecret({ path })).body, { success: false });
    assert.equal(host.hooks[0]?.secret, old.secret);
    assert.equal(await send(old.url, host.deliver(old, 'push', { repository: { id: web.id } })), 202);
    assert.deepEqual((await sub().rotateScmWebhookSecret({ path })).body, { success: true });
    const fresh = host.hooks[0] as FakeHook;
    assert.notEqual(fresh.secret, old.secret);
    for (const hook of [old, fresh])
      assert.equal(await send(old.url, host.deliver(hook, 'push', { repository: { id: web.id } })), 202);
    world.clockOffsetMs = 25 * 3_600_000;
    assert.equal(await send(old.url, host.deliver(old, 'push', { repository: { id: web.id } })), 401);
    assert.equal(await send(old.url, host.deliver(fresh, 'push', { repository: { id: web.id } })), 202);
    world.clockOffsetMs = 0;
  });

  test('an answer that was lost does not lead to a second webhook', async () => {
    const host = gitea();
    const path = await connect(host);
    host.fail({
      matches: ({ method, path: at }) => method === 'POST' && at.endsWith('/hooks'),
      status: 502,
      isAfter: true,
    });
    assert.equal((await sub().scmWebhookSubscriptionSubscribe({ path })).problem.code, 'SCM_UNAVAILABLE');
    const lost = host.hooks[0]?.url;
    assert.equal((await sub().scmWebhookSubscriptionSubscribe({ path })).status, 200);
    assert.deepEqual(
      host.hooks.map(({ url }) => url === lost),
      [true],
    );
  });

  test('a host without webhooks of groups gets one in each repository', async () => {
    const host = gitlab();
    host.hasGroupHooks = false;
    const web = host.addRepository('acme/web');
    host.addRepository('acme/api');
    const path = await connect(host);
    assert.equal((await sub().scmWebhookSubscriptionSubscribe({ path })).status, 200);
    const ref = { deployment: place.id, id: path.configId };
    const hookAll = () => hookAllRepositories(scmTransaction(scene()), world.assembly.services, ref);
    await hookAll();
    assert.equal(host.hooks.length, 2);
    assert.equal(new Set(host.hooks.map(({ url }) => url)).size, 1);
    const old = host.hooks.map(({ secret }) => secret);
    await sub().rotateScmWebhookSecret({ path });
    await hookAll();
    assert.ok(host.hooks.every(({ secret }) => !old.includes(secret)));
    const push = { event_name: 'push', project_id: web.id };
    assert.equal(await send(host.hooks[0]?.url ?? '', host.deliver(host.hooks[0] as FakeHook, 'Push Hook', push)), 202);
    await sub().scmWebhookSubscriptionUnsubscribe({ path });
    assert.equal(host.hooks.length, 0);
  });

  test('a burst of deliveries is not limited by the address of the host, and strangers are', async () => {
    const host = gitea();
    const web = host.addRepository('acme/web');
    const path = await connect(host);
    await sub().scmWebhookSubscriptionSubscribe({ path });
    const hook = host.hooks[0] as FakeHook;
    const burst = await Promise.all(
      Array.from({ length: 120 }, (_, number) => send(hook.url, host.deliver(hook, ...opened(host, web.id, number)))),
    );
    assert.deepEqual(new Set(burst), new Set([202]));
    const forged = host.deliver({ ...hook, secret: 'guessed' }, 'push', { repository: { id: web.id } });
    assert.equal(await send(hook.url, forged), 401);
    const { limits } = world.assembly.services;
    const useUp = () => {
      for (;;) limits.take('hook-failure', '127.0.0.1');
    };
    assert.throws(useUp, /Too many requests/);
    assert.equal(await send(hook.url, forged), 429);
  });
});
