import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { Id } from '#kernel/contract/proto-fields.ts';
import * as deliveryContract from '#services/deliveries/contract.ts';
import {
  automationOf,
  condition,
  considerAll,
  deliveriesOf,
  drain,
  webhookOf,
} from '#test/support/factories/automations.ts';
import { makeReportedFinding, ProjectScans } from '#test/support/factories/project-scans.ts';
import { WebhookReceiver } from '#test/support/world/webhook-receiver.ts';
import { type TestDeployment, World } from '#test/support/world/world.ts';
import * as contract from './contract.ts';

let world: World;
let place: TestDeployment;
let receiver: WebhookReceiver;
let scans: ProjectScans;

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
  scans = await ProjectScans.start(world, place);
  receiver.received.length = 0;
});

const scene = () => ({ world, place });
const admin = () => world.as(contract, place.admin.jwt);
const deliveries = () => world.as(deliveryContract, place.admin.jwt);
const pathOf = (id: string) => ({ deploymentId: place.id, automationId: id as Id<'Automation'> });
const found = (name: string, severity: 'high' | 'low' = 'high') =>
  makeReportedFinding({
    path: `${name}.js`,
    line: 1,
    code: `eval(${name})`,
    context: `// ${name}`,
    more: { severity },
  });

async function webhookAutomation(options: Parameters<typeof automationOf>[1] = {}) {
  const webhook = await webhookOf(scene(), receiver.url);
  const actions = [{ type: 'ACTION_TYPE_WEBHOOK' as const, config: { webhook_id: webhook } }];
  return { webhook, automation: await automationOf(scene(), { actions, ...options }) };
}

const explain = async (automation: string, finding: string) =>
  (
    await admin().explainAutomation({
      path: { ...pathOf(automation), findingId: finding as Id<'Finding'> },
    })
  ).body;

describe('why', () => {
  test('shows each condition with the value that was seen, and the verdict', async () => {
    const { automation } = await webhookAutomation({
      conditions: [condition('SEVERITY', 'high'), condition('PATH', 'src')],
    });
    await scans.scan([found('a')]);
    const [finding] = await scans.findings();
    const { isMatch, verdict, conditions } = await explain(automation, finding?.id ?? '');
    assert.deepEqual([isMatch, verdict], [false, 'Its conditions do not hold.']);
    assert.deepEqual(
      conditions.map(({ isTrue, seen }) => [isTrue, seen]),
      [
        [true, ['high']],
        [false, ['a.js']],
      ],
    );
  });

  test('says that an automation has fired, is paused, or fires only on a change', async () => {
    const { automation } = await webhookAutomation();
    await scans.scan([found('a')]);
    const [finding] = await scans.findings();
    const verdict = async () => (await explain(automation, finding?.id ?? '')).verdict;
    assert.match(await verdict(), /fires when they become true/);
    await admin().setAutomationMode({ path: pathOf(automation), body: { mode: 'paused' } });
    assert.match(await verdict(), /is paused/);
    await admin().setAutomationMode({ path: pathOf(automation), body: { mode: 'live' } });
    await considerAll(scene());
    assert.match(await verdict(), /has fired/);
  });

  test('is not answered about a finding that the caller may not see (AZN-08)', async () => {
    const automation = await automationOf(scene());
    await scans.scan([found('a')]);
    const [finding] = await scans.findings();
    const outsider = world.as(contract, (await world.memberWithoutTeam(place)).jwt);
    const path = { ...pathOf(automation), findingId: (finding?.id ?? '') as Id<'Finding'> };
    assert.equal((await outsider.explainAutomation({ path })).status, 404);
  });
});

describe('a run on existing findings', () => {
  test('is previewed, and confirmed with the snapshot and the count of the preview', async () => {
    await scans.scan([found('a'), found('b'), found('c', 'low')]);
    const { automation, webhook } = await webhookAutomation();
    const preview = (await admin().previewAutomationRun({ path: pathOf(automation) })).body;
    assert.equal(preview.count, '2');
    assert.equal(preview.projects[0]?.count, 2);
    const stale = await admin().runAutomation({
      path: pathOf(automation),
      body: { snapshot: preview.snapshot, count: '7' },
    });
    assert.deepEqual([stale.status, stale.problem.code], [409, 'PREVIEW_CHANGED']);
    await scans.scan([found('a'), found('b'), found('c', 'low'), found('later')]);
    const { snapshot, count } = preview;
    const run = await admin().runAutomation({ path: pathOf(automation), body: { snapshot, count } });
    assert.deepEqual([run.status, run.body.matched], [200, '2']);
    await drain(scene(), webhook);
    assert.equal((receiver.bodies[0] as unknown[]).length, 2);
    const again = (await admin().previewAutomationRun({ path: pathOf(automation) })).body;
    assert.equal(again.count, '1', 'what has fired is not counted again');
  });

  test('of a paused automation is refused', async () => {
    const { automation } = await webhookAutomation();
    await admin().setAutomationMode({ path: pathOf(automation), body: { mode: 'paused' } });
    const reply = await admin().runAutomation({ path: pathOf(automation), body: { snapshot: '0', count: '0' } });
    assert.equal(reply.problem.code, 'AUTOMATION_PAUSED');
  });

  test('at once from many requests matches each finding once', async () => {
    await scans.scan([found('a'), found('b')]);
    const { automation } = await webhookAutomation();
    const { snapshot, count } = (await admin().previewAutomationRun({ path: pathOf(automation) })).body;
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => admin().runAutomation({ path: pathOf(automation), body: { snapshot, count } })),
    );
    assert.equal(replies.filter(({ status }) => status === 200).length, 1);
    assert.equal((await deliveriesOf(scene())).length, 1);
  });
});

test('conditions that are not saved can be tried, as a number and on a finding', async () => {
  await scans.scan([found('a'), found('b', 'low')]);
  const [finding] = await scans.findings();
  const { body, status } = await admin().tryAutomation({
    path: { deploymentId: place.id },
    body: {
      filters: { conditions: [{ type: 'CONDITION_TYPE_SEVERITY', values: ['SEVERITY_HIGH'] }] },
      findingId: (finding?.id ?? '') as Id<'Finding'>,
    },
  });
  assert.deepEqual([status, body.count, body.explanation?.isMatch], [200, '1', true]);
  const refused = await admin().tryAutomation({
    path: { deploymentId: place.id },
    body: { filters: { conditions: [{ type: 'CONDITION_TYPE_SEVERITY', values: ['huge'] }] } },
  });
  assert.equal(refused.status, 400);
});

test('runs, activity and deliveries show what happened', async () => {
  const { automation, webhook } = await webhookAutomation();
  await scans.scan([found('a')]);
  await considerAll(scene());
  await drain(scene(), webhook);
  const { runs } = (await admin().listAutomationRuns({ path: pathOf(automation) })).body;
  assert.deepEqual(
    runs.map(({ matched, considered, cause }) => [matched, considered, cause]),
    [[1, 1, 'batch']],
  );
  const activity = (await admin().listAutomationActivity({ path: { deploymentId: place.id } })).body;
  const [first] = activity.activities;
  assert.deepEqual([first?.mode, first?.sent, first?.failed], ['live', '1', '0']);
  assert.deepEqual(first?.days, [{ daysAgo: 0, sent: 1, held: 0, failed: 0 }]);
  const onlyRecorded = activity.notCarriedOut.map(({ type }) => type);
  assert.ok(onlyRecorded.includes('ACTION_TYPE_OPEN_AUTOFIX_PR') && !onlyRecorded.includes('ACTION_TYPE_WEBHOOK'));
  const listed = (await deliveries().listDeliveries({ path: { deploymentId: place.id }, query: {} })).body.deliveries;
  assert.deepEqual(
    listed.map(({ state, findingCount }) => [state, findingCount]),
    [['sent', 1]],
  );
  const deliveryId = listed[0]?.id as Id<'Delivery'>;
  const one = (await deliveries().getDelivery({ path: { deploymentId: place.id, deliveryId } })).body;
  const [finding] = await scans.findings();
  assert.deepEqual([one.attempts[0]?.status, one.bodies.length, one.issueIds], [200, 1, [finding?.id]]);
  const later = { since: new Date(Date.now() + 60_000).toISOString() };
  const none = await deliveries().listDeliveries({ path: { deploymentId: place.id }, query: later });
  assert.deepEqual(none.body.deliveries, []);
  const replay = await deliveries().replayDeliveries({
    path: { deploymentId: place.id },
    body: { deliveryIds: [deliveryId] },
  });
  assert.deepEqual(replay.body.deliveryIds, [deliveryId]);
  await drain(scene(), webhook);
  assert.equal(receiver.received[0]?.headers['webhook-id'], receiver.received[1]?.headers['webhook-id']);
  const { destinations } = (await deliveries().listDestinations({ path: { deploymentId: place.id } })).body;
  assert.deepEqual([destinations[0]?.state, destinations[0]?.failures], ['active', 0]);
});

test('what was sent about a finding is shown to those who see the finding, without answers of receivers', async () => {
  await webhookAutomation();
  await scans.scan([found('a'), found('b', 'low')]);
  await considerAll(scene());
  const sentAbout = async (jwt: string, finding: string | undefined) => {
    const path = { deploymentId: place.id, findingId: (finding ?? '') as Id<'Finding'> };
    return world.as(deliveryContract, jwt).listFindingDeliveries({ path });
  };
  const findings = await scans.findings();
  const about = (path: string) => findings.find((finding) => finding.path === path)?.id;
  await world.queryAsOwner(
    "update delivery set reason = 'The receiver answered secret words.' where deployment_id = $1",
    [place.id],
  );
  const { body } = await sentAbout(place.admin.jwt, about('a.js'));
  assert.deepEqual(
    body.deliveries.map(({ state, actionType, reason }) => [state, actionType, reason]),
    [['waiting', 'ACTION_TYPE_WEBHOOK', '']],
  );
  assert.deepEqual((await sentAbout(place.admin.jwt, about('b.js'))).body, { deliveries: [] });
  const outsider = await world.memberWithoutTeam(place);
  assert.equal((await sentAbout(outsider.jwt, about('a.js'))).status, 404);
});

test('pausing an automation cancels what it has not sent', async () => {
  const { automation } = await webhookAutomation();
  await scans.scan([found('a')]);
  await considerAll(scene());
  await admin().setAutomationMode({ path: pathOf(automation), body: { mode: 'paused' } });
  assert.deepEqual(
    (await deliveriesOf(scene())).map(({ state, reason }) => [state, reason]),
    [['cancelled', 'The automation was paused.']],
  );
});
