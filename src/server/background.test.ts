import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makeLog } from '#kernel/log/log.ts';
import { automationOf, deliveriesOf, webhookOf } from '#test/support/factories/automations.ts';
import { makeReportedFinding, ProjectScans } from '#test/support/factories/project-scans.ts';
import { waitUntil } from '#test/support/wait.ts';
import { WebhookReceiver } from '#test/support/world/webhook-receiver.ts';
import { World } from '#test/support/world/world.ts';
import { Background } from './background.ts';

let world: World;
let receiver: WebhookReceiver;
let background: Background;
let isCopy = true;

before(async () => {
  receiver = await WebhookReceiver.start();
  world = await World.start({ PARAPET_EGRESS_ALLOW: `127.0.0.1:${receiver.port}` });
  background = new Background({
    db: world.assembly.db,
    connection: world.database.connection,
    services: world.assembly.services,
    instance: { isCopy: async () => isCopy },
    copyCheckMs: 20,
    workerId: 'test',
    log: makeLog('silent'),
  });
  background.start();
});
after(async () => {
  await background.stop();
  await world.stop();
  await receiver.stop();
});

test('findings reach a webhook, not from a copy until it is released (DAT-05), and again if it fails', async () => {
  const place = await world.deployment();
  const scene = { world, place };
  const webhook = await webhookOf(scene, receiver.url);
  await automationOf(scene, { actions: [{ type: 'ACTION_TYPE_WEBHOOK', config: { webhook_id: webhook } }] });
  receiver.fail({ status: 503 });
  const scans = await ProjectScans.start(world, place);
  await scans.scan([makeReportedFinding({ path: 'a.js', line: 1, code: 'eval(a)' })]);
  await waitUntil(async () => (await deliveriesOf(scene)).length === 1, 'the batch was not considered');
  assert.deepEqual([receiver.received.length, (await deliveriesOf(scene))[0]?.state], [0, 'waiting']);
  isCopy = false;
  // The second attempt comes after about five seconds.
  await waitUntil(async () => (await deliveriesOf(scene))[0]?.state === 'sent', 'the delivery was not sent');
  assert.equal(receiver.received.length, 2);
  assert.equal(receiver.received[0]?.headers['webhook-id'], receiver.received[1]?.headers['webhook-id']);
});
