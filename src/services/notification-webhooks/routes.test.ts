import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { Id } from '#kernel/contract/proto-fields.ts';
import { automationOf, considerAll, deliveriesOf, drain } from '#test/support/factories/automations.ts';
import { makeReportedFinding, ProjectScans } from '#test/support/factories/project-scans.ts';
import { isSignedWith, WebhookReceiver } from '#test/support/world/webhook-receiver.ts';
import { type TestDeployment, World } from '#test/support/world/world.ts';
import * as contract from './contract.ts';

let world: World;
let place: TestDeployment;
let receiver: WebhookReceiver;

before(async () => {
  receiver = await WebhookReceiver.start();
  world = await World.start({ PARAPET_EGRESS_ALLOW: `127.0.0.1:${receiver.port}` });
});
after(async () => {
  await world.stop();
  await receiver.stop();
});
beforeEach(async () => {
  place = await world.deployment();
  receiver.received.length = 0;
});

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const scene = () => ({ world, place });
const admin = () => world.as(contract, place.admin.jwt);
const pathOf = (id: string) => ({ deploymentId: place.id, webhookId: id as Id<'NotificationWebhook'> });

async function create(
  more: Partial<Parameters<ReturnType<typeof admin>['createNotificationWebhook']>[0]['body']> = {},
) {
  const body = { name: 'Events', url: receiver.url, webhookSecret: SECRET, ...more };
  const reply = await admin().createNotificationWebhook({ path: { deploymentId: place.id }, body });
  assert.equal(reply.status, 200);
  return reply.body.webhook;
}

const lastEvent = () => {
  const event = receiver.received.at(-1);
  assert.ok(event);
  return event;
};

describe('a webhook', () => {
  test('never shows its secret, neither in replies nor in the audit trail', async () => {
    const webhook = await create();
    assert.equal(webhook.hasSecret, true);
    const listed = await admin().listNotificationWebhooks({ path: { deploymentId: place.id } });
    assert.doesNotMatch(JSON.stringify(listed.body), /whsec_/);
    const [audit] = await world.queryAsOwner<{ text: string }>(
      `select string_agg(audit_record::text, '') as text from audit_record where deployment_id = $1`,
      [place.id],
    );
    assert.doesNotMatch(audit?.text ?? '', /whsec_|MfKQ9r8G|\/hook/);
  });

  test('with a URL that this server must not call is refused', async () => {
    for (const url of ['http://169.254.169.254/latest', 'http://example.com/', 'https://example.com:22/']) {
      const reply = await admin().createNotificationWebhook({
        path: { deploymentId: place.id },
        body: { name: 'x', url },
      });
      assert.deepEqual([reply.status, reply.problem.code], [400, 'WEBHOOK_URL_REFUSED'], url);
    }
  });

  test('with a secret of less than 15 characters is refused', async () => {
    const body = { name: 'x', url: receiver.url, webhookSecret: 'too short' };
    const reply = await admin().createNotificationWebhook({ path: { deploymentId: place.id }, body });
    assert.equal(reply.status, 400);
  });

  test('keeps its secret when other members change, and loses it with a new URL', async () => {
    const { id } = await create();
    const renamed = await admin().updateNotificationWebhook({ path: pathOf(id), body: { name: 'Renamed' } });
    assert.deepEqual([renamed.body.webhook.name, renamed.body.webhook.hasSecret], ['Renamed', true]);
    const moved = await admin().updateNotificationWebhook({ path: pathOf(id), body: { url: `${receiver.url}/2` } });
    assert.equal(moved.body.webhook.hasSecret, false);
    const secured = { url: `${receiver.url}/3`, webhookSecret: SECRET };
    const again = await admin().updateNotificationWebhook({ path: pathOf(id), body: secured });
    assert.equal(again.body.webhook.hasSecret, true);
    const removed = await admin().updateNotificationWebhook({ path: pathOf(id), body: { removeSecret: true } });
    assert.equal(removed.body.webhook.hasSecret, false);
  });

  test('that is deleted pauses the automations that use it, and cancels what waits', async () => {
    const { id } = await create();
    const automation = await automationOf(scene(), {
      actions: [{ type: 'ACTION_TYPE_WEBHOOK', config: { webhook_name: 'Events' } }],
    });
    const scans = await ProjectScans.start(world, place);
    await scans.scan([makeReportedFinding({ path: 'a.js', line: 1, code: 'eval(a)' })]);
    await considerAll(scene());
    const reply = await admin().deleteNotificationWebhook({ path: pathOf(id) });
    assert.equal(reply.status, 204);
    const [row] = await world.queryAsOwner<{ mode: string; pause_reason: string }>(
      'select mode, pause_reason from automation where id = $1',
      [automation],
    );
    assert.deepEqual(row, { mode: 'paused', pause_reason: 'The webhook Events was deleted.' });
    assert.deepEqual(
      (await deliveriesOf(scene())).map(({ state }) => state),
      ['cancelled'],
    );
    assert.equal((await admin().getNotificationWebhook({ path: pathOf(id) })).status, 404);
  });

  test('is managed only by administrators, in person', async () => {
    const { id } = await create();
    const member = world.as(contract, (await world.member(place)).jwt);
    assert.equal((await member.listNotificationWebhooks({ path: { deploymentId: place.id } })).status, 403);
    assert.equal((await member.testNotificationWebhook({ path: pathOf(id), body: {} })).status, 403);
    const token = world.as(contract, (await world.token(place)).text);
    assert.equal((await token.getNotificationWebhook({ path: pathOf(id) })).status, 403);
  });

  test('there are never more than 100, even with concurrent requests (LIM-04)', async () => {
    await world.queryAsOwner(
      `with made as (insert into destination (deployment_id, kind, key, name)
         select $1, 'webhook', number, 'w' from generate_series(1, 99) as number returning deployment_id, id)
       insert into notification_webhook (deployment_id, destination_id, url) select deployment_id, id, 'x' from made`,
      [place.id],
    );
    const path = { deploymentId: place.id };
    const body = { name: 'x', url: receiver.url };
    const replies = await Promise.all(
      Array.from({ length: 30 }, () => admin().createNotificationWebhook({ path, body })),
    );
    assert.equal(replies.filter(({ status }) => status === 200).length, 1);
    assert.ok(replies.every(({ status, problem }) => status === 200 || problem.code === 'WEBHOOK_QUOTA'));
  });
});

describe('the test of a webhook', () => {
  test('sends a signed event on the real way, and is listed', async () => {
    const { id } = await create();
    const reply = await admin().testNotificationWebhook({ path: pathOf(id), body: {} });
    assert.deepEqual(reply.body, { success: true, errorDetail: '' });
    const event = lastEvent();
    assert.ok(isSignedWith(SECRET, event));
    assert.ok(!isSignedWith(SECRET, { ...event, body: `${event.body} ` }));
    assert.equal(
      event.headers['x-semgrep-signature-256'],
      createHmac('sha256', SECRET).update(event.body).digest('hex'),
    );
    const [item] = JSON.parse(event.body) as Record<string, string>[];
    assert.deepEqual(Object.keys(item ?? {}), ['text', 'username']);
    assert.deepEqual(
      (await deliveriesOf(scene())).map(({ kind, state }) => [kind, state]),
      [['test', 'sent']],
    );
  });

  test('says what went wrong', async () => {
    const { id } = await create();
    receiver.fail({ status: 401 }, 'drop', { status: 302, headers: { location: 'https://example.com' } });
    const details: string[] = [];
    for (let time = 0; time < 3; time += 1) {
      const { body } = await admin().testNotificationWebhook({ path: pathOf(id), body: {} });
      assert.equal(body.success, false);
      details.push(body.errorDetail);
    }
    assert.match(details[0] ?? '', /answered 401/);
    assert.match(details[1] ?? '', /valid HTTP/);
    assert.match(details[2] ?? '', /redirect/);
  });
});

describe('the rotation of a secret', () => {
  const NEW = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
  const legacy = (secret: string, body: string) => createHmac('sha256', secret).update(body).digest('hex');
  const rotate = (id: string, body: { webhookSecret?: string; overlapHours?: number }) =>
    admin().rotateWebhookSecret({ path: pathOf(id), body });

  test('signs with both secrets until the overlap ends (WHK-02)', async () => {
    const { id } = await create();
    assert.equal((await rotate(id, { webhookSecret: NEW })).status, 200);
    await admin().testNotificationWebhook({ path: pathOf(id), body: {} });
    const during = lastEvent();
    assert.deepEqual([isSignedWith(NEW, during), isSignedWith(SECRET, during)], [true, true]);
    assert.equal(during.headers['x-semgrep-signature-256'], legacy(SECRET, during.body));
    await rotate(id, { overlapHours: 0 });
    await admin().testNotificationWebhook({ path: pathOf(id), body: {} });
    const afterwards = lastEvent();
    assert.deepEqual([isSignedWith(NEW, afterwards), isSignedWith(SECRET, afterwards)], [true, false]);
    assert.equal(afterwards.headers['x-semgrep-signature-256'], legacy(NEW, afterwards.body));
  });

  test('of a webhook without a secret is refused', async () => {
    const { id } = await create();
    await admin().updateNotificationWebhook({ path: pathOf(id), body: { removeSecret: true } });
    assert.equal((await rotate(id, { webhookSecret: NEW })).problem.code, 'WEBHOOK_WITHOUT_SECRET');
  });
});

describe('the events', () => {
  test('of findings have the documented members, and neither code nor secrets (WHK-06)', async () => {
    const { id } = await create();
    await automationOf(scene(), {
      name: 'Tell',
      actions: [{ type: 'ACTION_TYPE_WEBHOOK', config: { webhook_id: id } }],
    });
    const scans = await ProjectScans.start(world, place);
    const secret = { type: 'AWS', value: 'AKIAIOSFODNN7EXAMPLE' };
    await scans.scan([
      makeReportedFinding({
        ...{ path: 'src/é.js', line: 7, code: 'SOURCE_CODE_CANARY()', context: 'SOURCE_CODE_CANARY()' },
        more: { metadata: { owasp: ['A03'], epss: 0.00004, '7': 'dropped' }, message: 'naïve “quote”' },
      }),
      makeReportedFinding({ path: 'env', line: 1, code: secret.value, more: { product: 'secrets', secret } }),
    ]);
    await considerAll(scene());
    await drain(scene(), id);
    const { body } = lastEvent();
    assert.doesNotMatch(body, /CANARY|AKIA/);
    assert.match(body, /^[ -~]*$/);
    assert.match(body, /"epss":4e-05/);
    const items = JSON.parse(body) as { semgrep_finding: Record<string, unknown> }[];
    const finding = items.map((item) => item.semgrep_finding).find(({ path }) => path === 'src/é.js');
    assert.ok(finding);
    assert.deepEqual(Object.keys(finding), [
      ...['check_id', 'column', 'commit_date', 'commit_url', 'end_column', 'end_line', 'first_seen_scan_id', 'id'],
      ...['index', 'line', 'message', 'metadata', 'numeric_id', 'path', 'ref', 'repo_name', 'severity', 'start_date'],
    ]);
    assert.equal(finding['severity'], 2);
    assert.match(String(finding['start_date']), /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?\+00:00$/);
    const metadata = finding['metadata'] as Record<string, unknown>;
    assert.deepEqual(metadata['semgrep.policy'] as object, { ...(metadata['semgrep.policy'] as object), slug: 'tell' });
    assert.equal('7' in metadata, false);
  });
});
