import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { adaptersOf } from '#domain/destinations/all-adapters.ts';
import { FakeSlack } from '#test/support/chat/fake-slack.ts';
import { automationOf, condition, considerAll, deliveriesOf, drain } from '#test/support/factories/automations.ts';
import { makeReportedFinding, ProjectScans } from '#test/support/factories/project-scans.ts';
import { makeSlackChannel } from '#test/support/factories/slack.ts';
import { type TestDeployment, World } from '#test/support/world/world.ts';
import { updateMessages } from './slack-messages.ts';

let world: World;
let fake: FakeSlack;
let place: TestDeployment;
let channel: string;
let scans: ProjectScans;

const START = Date.parse('2026-11-16T12:00:00Z');
const later = (ms: number) => new Date(START + ms);
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

before(async () => {
  fake = await FakeSlack.start();
  world = await World.start(fake.settings);
});
after(async () => {
  await world.stop();
  await fake.stop();
});
beforeEach(async () => {
  place = await world.deployment();
  channel = await makeSlackChannel(scene(), 'C024BE91L', 'security');
  scans = await ProjectScans.start(world, place);
  fake.isRevoked = false;
  fake.messages.length = 0;
  fake.requests.length = 0;
  for (const one of fake.channels) one.is_archived = false;
});

const scene = () => ({ world, place });
const found = (name: string) =>
  makeReportedFinding({ path: `src/${name}.js`, line: 1, code: `eval(${name})`, context: `// ${name}` });
const sendAction = { type: 'ACTION_TYPE_SLACK_APP' as const, config: { channel_id: 'C024BE91L' } };
const highOnes = (name: string) =>
  automationOf(scene(), { name, conditions: [condition('SEVERITY', 'high')], actions: [sendAction] });

const scanOf = async () => {
  const [row] = await world.queryAsOwner<{ id: string }>(
    'select max(id)::text as id from scan where deployment_id = $1',
    [place.id],
  );
  return row?.id ?? '';
};
/** Scans a state of the project, and does what the jobs would do. */
async function scan(names: readonly string[], ms = 0): Promise<void> {
  await scans.scan(names.map(found));
  await considerAll(scene(), later(ms));
  const ended = { deployment: place.id, scan: await scanOf(), at: later(ms) };
  await world.inDeployment(place, (tx) => updateMessages(tx, ended));
}
const states = async () => (await deliveriesOf(scene())).map(({ state }) => state);
const reasons = async () => (await deliveriesOf(scene())).map(({ reason }) => reason ?? '');
const [KEPT] = ['kept'];

describe('a message of Slack', () => {
  test('is one for each scan and channel, also of two automations, and names both', async () => {
    await highOnes('First');
    await highOnes('Second <b>');
    await scan(['a', 'b', KEPT]);
    await drain(scene(), channel, later(0));
    assert.deepEqual(await states(), ['sent']);
    const [message, ...more] = fake.messages;
    assert.equal(more.length, 0);
    assert.match(message?.text ?? '', /^3 new findings in .* \(3 high\)$/);
    const blocks = JSON.stringify(message?.blocks);
    assert.match(blocks, /First, Second &lt;b&gt;/);
    assert.match(blocks, /\/automations\/\d+\|Why\?/);
    assert.match(blocks, new RegExp(`/o/${place.slug}/findings/\\d+\\|`));
  });

  test('is updated in place when findings are fixed, once for each scan', async () => {
    await highOnes('Tell');
    await scan(['a', 'b', KEPT]);
    await drain(scene(), channel, later(0));
    await scan(['b', KEPT], MINUTE_MS);
    await drain(scene(), channel, later(MINUTE_MS));
    await scan(['b', KEPT], 2 * MINUTE_MS);
    await drain(scene(), channel, later(2 * MINUTE_MS));
    assert.equal(fake.messages.length, 1);
    assert.deepEqual([fake.messages[0]?.updates, fake.messages[0]?.text.slice(0, 24)], [1, '1 of 3 findings fixed in']);
    assert.match(JSON.stringify(fake.messages[0]?.blocks), /~high: /);
    await scan(['a', 'b', KEPT], 3 * MINUTE_MS);
    for (const ms of [0, 1000]) await drain(scene(), channel, later(3 * MINUTE_MS + ms));
    assert.match(fake.messages[0]?.text ?? '', /^3 new findings/);
    assert.match(fake.messages[1]?.text ?? '', /^1 new finding in/, 'what came back is news of its own scan');
    assert.match(JSON.stringify(fake.messages[1]?.blocks), /\(came back\)/);
  });

  test('that was held and released later joins the message of its scan', async () => {
    await highOnes('Tell');
    await scan(['a', KEPT]);
    await drain(scene(), channel, later(0));
    const [sent] = await deliveriesOf(scene());
    await world.queryAsOwner(
      `insert into delivery (deployment_id, destination_id, kind, subject, findings, state, next_at, created_at)
       select deployment_id, destination_id, kind, subject, findings[1:1], 'waiting', next_at, created_at
       from delivery where id = $1`,
      [sent?.id],
    );
    await drain(scene(), channel, later(MINUTE_MS));
    assert.deepEqual([fake.messages.length, fake.messages[0]?.updates], [1, 1]);
  });

  test('waits for a second after the one before it', async () => {
    await highOnes('Tell');
    await scan([KEPT]);
    await scan(['a', KEPT]);
    assert.equal(await drain(scene(), channel, later(0)), 1);
    assert.equal(await drain(scene(), channel, later(500)), 0);
    assert.equal(await drain(scene(), channel, later(1000)), 1);
  });

  test('to a channel that is not connected is skipped with the reason', async () => {
    const config = { channel_name: 'nowhere' };
    await automationOf(scene(), { actions: [{ type: 'ACTION_TYPE_SLACK_APP', config }] });
    await scan([KEPT]);
    assert.deepEqual([await states(), await reasons()], [['skipped'], ['The Slack channel is not connected.']]);
  });
});

describe('when Slack fails', () => {
  beforeEach(async () => {
    await highOnes('Tell');
    await scan([KEPT]);
  });

  test('a limit pauses the channel for as long as Slack asks', async () => {
    fake.fail('chat.postMessage', { kind: 'answer', status: 429, headers: { 'retry-after': '30' } });
    await drain(scene(), channel, later(0));
    await drain(scene(), channel, later(29_000));
    assert.equal(fake.requests.length, 1);
    await drain(scene(), channel, later(31_000));
    assert.deepEqual([fake.messages.length, await states()], [1, ['sent']]);
  });

  test('an ambiguous end is repeated once and not twice', async () => {
    const lost = { kind: 'answer', status: 502, isAfter: true } as const;
    fake.fail('chat.postMessage', lost, { kind: 'garbage', isAfter: true });
    for (const minutes of [0, 1, 10, 60, 600]) await drain(scene(), channel, later(minutes * MINUTE_MS));
    assert.equal(fake.messages.length, 2);
    assert.deepEqual(await states(), ['failed']);
    assert.match((await reasons())[0] ?? '', /may have arrived/);
  });

  test('a revoked token disables the channel, deliveries wait for 72 hours and then fail', async () => {
    fake.isRevoked = true;
    await drain(scene(), channel, later(0));
    const [installation] = await world.queryAsOwner<{ is_auth_revoked: boolean }>(
      'select is_auth_revoked from slack_installation where deployment_id = $1',
      [place.id],
    );
    assert.equal(installation?.is_auth_revoked, true);
    await drain(scene(), channel, later(71 * HOUR_MS));
    assert.deepEqual(await states(), ['waiting']);
    await drain(scene(), channel, later(73 * HOUR_MS));
    assert.deepEqual(await states(), ['failed']);
    assert.match((await reasons())[0] ?? '', /disabled for 72 hours/);
  });

  test('an archived channel keeps its mapping and what waits for it', async () => {
    for (const one of fake.channels) one.is_archived = true;
    await drain(scene(), channel, later(0));
    assert.deepEqual(await states(), ['waiting']);
    const rows = await world.queryAsOwner('select from slack_channel where deployment_id = $1', [place.id]);
    assert.equal(rows.length, 1);
  });

  test('other faults are tried again, and the message arrives once', async () => {
    fake.fail('chat.postMessage', { kind: 'drop' }, { kind: 'error', code: 'ratelimited' });
    for (const minutes of [0, 1, 2, 10]) await drain(scene(), channel, later(minutes * MINUTE_MS));
    assert.deepEqual([fake.messages.length, await states()], [1, ['sent']]);
  });

  test('a message that it refuses ends alone, and the token is in no record', async () => {
    fake.fail('chat.postMessage', { kind: 'error', code: 'msg_blocks_too_long' });
    await drain(scene(), channel, later(0));
    assert.deepEqual([await states(), await reasons()], [['failed'], ['Slack answered msg_blocks_too_long.']]);
    const rows = await world.queryAsOwner<{ text: string }>(
      `select row_to_json(one)::text as text from delivery_body as one where deployment_id = $1
       union all select row_to_json(attempt)::text from delivery_attempt as attempt where deployment_id = $1`,
      [place.id],
    );
    assert.ok(rows.length > 1 && rows.every(({ text }) => !text.includes(fake.token)));
  });
});

test('every action of people is carried out by an adapter', () => {
  const adapters = adaptersOf(world.assembly.services);
  for (const type of ['ACTION_TYPE_SLACK_APP', 'ACTION_TYPE_SLACK_WEBHOOK'] as const)
    assert.equal(adapters.ofAction(type)?.audience, 'people');
});
