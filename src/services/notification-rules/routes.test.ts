import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { scanEventHandler } from '#domain/automations/webhooks/send-scan-events.ts';
import { announceScanEnd } from '#domain/scans/scan-ended.ts';
import type { JobCall } from '#kernel/jobs/handler.ts';
import { considerAll, deliveriesOf, drain, runsOf } from '#test/support/factories/automations.ts';
import { makeReportedFinding, ProjectScans } from '#test/support/factories/project-scans.ts';
import { WebhookReceiver } from '#test/support/world/webhook-receiver.ts';
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

const scene = () => ({ world, place });
const admin = () => world.as(contract, place.admin.jwt);
type Draft = Parameters<ReturnType<typeof admin>['createNotificationRule']>[0]['body']['notificationRule'];

const draft = (more: Partial<Draft> = {}): Draft => ({
  name: 'Rule',
  channel: 'CHANNEL_WEBHOOK',
  config: { url: receiver.url, secret: 'a secret of the receiver' },
  ...more,
});
const create = (more: Partial<Draft> = {}) =>
  admin().createNotificationRule({ path: { deploymentId: place.id }, body: { notificationRule: draft(more) } });
const pathOf = (id: number) => ({ deploymentId: place.id, notificationRuleId: id });
const list = async (body: Parameters<ReturnType<typeof admin>['listNotificationRules']>[0]['body'] = {}) =>
  (await admin().listNotificationRules({ path: { deploymentId: place.id }, body })).body.notification_rules;

const webhookOfRule = async () => {
  const [row] = await world.queryAsOwner<{ id: string }>(
    'select destination_id as id from notification_webhook where deployment_id = $1',
    [place.id],
  );
  return row?.id ?? '';
};

test('a rule has defaults, and never shows its secret', async () => {
  const { status, body } = await create();
  assert.equal(status, 200);
  const { id, ...rule } = body.notification_rule;
  assert.equal(typeof id, 'number');
  assert.deepEqual(rule, {
    channel: 'CHANNEL_WEBHOOK',
    config: { url: receiver.url },
    is_enabled: true,
    name: 'Rule',
    policy_slugs: [],
    use_network_broker: false,
    config_error: '',
    send_scan_completion: true,
  });
  assert.deepEqual(await list(), [body.notification_rule]);
  assert.doesNotMatch(JSON.stringify(await list()), /a secret/);
});

test('a rule with missing or unknown config, an unknown policy or a URL that is not called is refused', async () => {
  const errorsOf = async (more: Partial<Draft>) =>
    (await create(more)).problem.errors?.map(({ pointer, code }) => `${pointer} ${code}`);
  assert.deepEqual(await errorsOf({ channel: 'CHANNEL_S3', config: { bucket: 'b', region: 'eu' } }), [
    '#/notificationRule/config/credential_slug REQUIRED',
    '#/notificationRule/config/region UNKNOWN_MEMBER',
  ]);
  assert.deepEqual(await errorsOf({ policy_slugs: ['global-policy', 'gone'] }), [
    '#/notificationRule/policy_slugs/1 UNKNOWN_REFERENCE',
  ]);
  assert.deepEqual(await errorsOf({ config: { url: 'http://169.254.169.254/' } }), [
    '#/notificationRule/config/url URL_REFUSED',
  ]);
});

test('a rule with a webhook sends new findings of its policies', async () => {
  await create({ policy_slugs: ['global-policy'] });
  const scans = await ProjectScans.start(world, place);
  const secret = { type: 'AWS', value: 'AKIA1' };
  await scans.scan([
    makeReportedFinding({ path: 'a.js', line: 1, code: 'eval(a)', more: { severity: 'low' } }),
    makeReportedFinding({ path: 'env', line: 1, code: '*', more: { product: 'secrets', secret } }),
  ]);
  await considerAll(scene());
  await drain(scene(), await webhookOfRule());
  const [body] = receiver.bodies as { semgrep_finding: { path: string } }[][];
  assert.deepEqual(
    body?.map((item) => item.semgrep_finding.path),
    ['a.js'],
    'secrets have a policy of their own',
  );
});

test('a channel that nothing carries out is skipped with a reason', async () => {
  await create({ channel: 'CHANNEL_EMAIL', config: { email: 'team@example.com' } });
  await create({ channel: 'CHANNEL_S3', config: { bucket: 'b', credential_slug: 'aws' } });
  const scans = await ProjectScans.start(world, place);
  await scans.scan([makeReportedFinding({ path: 'a.js', line: 1, code: 'eval(a)' })]);
  await considerAll(scene());
  const deliveries = await deliveriesOf(scene());
  assert.deepEqual(
    deliveries.map(({ state, reason }) => [state, reason]),
    [
      ['skipped', 'The operator has set no mail server.'],
      ['skipped', 'The storage credential does not exist any more.'],
    ],
  );
});

test('a rule for the incoming webhook of a chat sends a message for people, and its test too', async () => {
  const made = await create({ channel: 'CHANNEL_SLACK_WEBHOOK', config: { url: receiver.url } });
  const { id, config_error: error } = made.body.notification_rule;
  assert.equal(error, '');
  const scans = await ProjectScans.start(world, place);
  await scans.scan([makeReportedFinding({ path: 'a.js', line: 1, code: 'eval(a)' })]);
  await considerAll(scene());
  await drain(scene(), await webhookOfRule());
  const [message] = receiver.bodies.slice(-1) as { text: string; blocks: unknown[] }[];
  assert.match(message?.text ?? '', /^1 new finding in /);
  assert.ok(message?.blocks.length);
  const tested = await admin().testNotificationRule({ path: pathOf(id), body: {} });
  assert.deepEqual(tested.body, { success: true, errorDetail: '' });
  assert.match(JSON.stringify(receiver.bodies.at(-1)), /This is a test/);
});

test('a rule that is disabled does not run, and a deleted one is gone with its webhook', async () => {
  const { id } = (await create({ is_enabled: false })).body.notification_rule;
  const scans = await ProjectScans.start(world, place);
  await scans.scan([makeReportedFinding({ path: 'a.js', line: 1, code: 'eval(a)' })]);
  await considerAll(scene());
  assert.deepEqual(await runsOf(scene()), []);
  const deleted = await admin().deleteNotificationRule({ path: pathOf(id) });
  assert.equal(deleted.body.notification_rule.id, id);
  assert.deepEqual(await list(), []);
  assert.equal(await webhookOfRule(), '');
  assert.equal((await admin().deleteNotificationRule({ path: pathOf(id) })).status, 404);
});

test('a replaced rule keeps its secret with its URL, and its webhook goes with the channel', async () => {
  const { id } = (await create()).body.notification_rule;
  const replace = (more: Partial<Draft>) =>
    admin().replaceNotificationRule({ path: pathOf(id), body: { notificationRule: draft(more) } });
  const hasSecret = async () => {
    const [row] = await world.queryAsOwner<{ has: boolean }>(
      'select sealed_secret is not null as has from notification_webhook where deployment_id = $1',
      [place.id],
    );
    return row?.has;
  };
  await replace({ config: { url: receiver.url }, name: 'Renamed' });
  assert.equal(await hasSecret(), true);
  await replace({ config: { url: `${receiver.url}/other` } });
  assert.equal(await hasSecret(), false);
  const { body } = await replace({ channel: 'CHANNEL_EMAIL', config: { email: 'a@example.com' } });
  assert.deepEqual(body.notification_rule.config, { email: 'a@example.com' });
  assert.equal(await webhookOfRule(), '');
});

test('the list can be filtered by channel and read in parts', async () => {
  for (const name of ['a', 'b', 'c']) await create({ name });
  await create({ channel: 'CHANNEL_EMAIL', config: { email: 'a@example.com' }, name: 'd' });
  const names = (rules: { name: string }[]) => rules.map(({ name }) => name);
  assert.deepEqual(names(await list({ filters: { channel: 'CHANNEL_EMAIL' } })), ['d']);
  const first = await list({ options: { optionalLimit: 2 } });
  const token = String(first.at(-1)?.id);
  assert.deepEqual(names([...first, ...(await list({ options: { cursor: { token } } }))]), ['a', 'b', 'c', 'd']);
});

test('the test sends on the real way, and says what is not carried out', async () => {
  const { id } = (await create()).body.notification_rule;
  const sent = await admin().testNotificationRule({ path: pathOf(id), body: {} });
  assert.deepEqual([sent.body.success, receiver.received.length], [true, 1]);
  const mail = (await create({ channel: 'CHANNEL_EMAIL', config: { email: 'a@example.com' } })).body.notification_rule;
  const refused = await admin().testNotificationRule({ path: pathOf(mail.id), body: {} });
  assert.equal(refused.body.success, false);
  assert.match(refused.body.errorDetail, /has set no mail server/);
});

test('a rule gets an event for every scan, signed, unless it does not want them', async () => {
  await create({ name: 'wants' });
  const scans = await ProjectScans.start(world, place);
  await scans.scan([]);
  const [scan] = await world.queryAsOwner<{ id: string }>('select id from scan where deployment_id = $1', [place.id]);
  const end = () =>
    scanEventHandler().run({
      payload: { scan: scan?.id },
      deployment: place.id,
      attempt: 1,
      signal: new AbortController().signal,
      read: (work) => world.inDeployment(place, work),
      transact: (work) => world.inDeployment(place, work),
    } satisfies JobCall);
  await end();
  await drain(scene(), await webhookOfRule());
  const [event] = receiver.received;
  assert.ok(event?.headers['x-semgrep-signature-256']);
  const { semgrep_scan: sent } = JSON.parse(event.body) as { semgrep_scan: Record<string, unknown> };
  assert.deepEqual(Object.keys(sent), [
    ...['id', 'hashed_id', 'deployment_id', 'repository_id', 'enabled_products', 'exit_code', 'started_at'],
    ...['completed_at', 'stats', 'tenant_name', 'meta'],
  ]);
  const [rule] = await list();
  await admin().replaceNotificationRule({
    path: pathOf(rule?.id ?? 0),
    body: { notificationRule: draft({ send_scan_completion: false }) },
  });
  await end();
  assert.equal((await deliveriesOf(scene())).length, 1);
  await world.inDeployment(place, (tx) => announceScanEnd(tx, { deployment: place.id, scan: scan?.id ?? '' }));
});
