import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { automationOf, condition, deliveriesOf, runsOf } from '#test/support/factories/automations.ts';
import { makeReportedFinding, ProjectScans } from '#test/support/factories/project-scans.ts';
import { type TestDeployment, World } from '#test/support/world/world.ts';
import { type Audience, type DestinationAdapter, DestinationAdapters } from '../deliveries/destination-adapter.ts';
import { insertDestination } from '../deliveries/destination-store.ts';
import { considerChanges } from './consider-batch.ts';

let world: World;
let place: TestDeployment;
let scans: ProjectScans;

before(async () => {
  world = await World.start();
});
after(() => world.stop());
beforeEach(async () => {
  place = await world.deployment();
  scans = await ProjectScans.start(world, place);
});

const scene = () => ({ world, place });
const START = Date.parse('2026-11-16T12:00:00Z');
const MINUTE_MS = 60_000;

/** A destination for each channel that an action names; nothing is sent. */
const adapterFor = (audience: Audience, action: DestinationAdapter['actions'][number]): DestinationAdapter => ({
  kind: audience,
  audience,
  actions: [action],
  resolve: async (tx, deployment, { config }) => {
    const key = config['channel_id'] ?? config['project_id'] ?? 'x';
    const [row] = await tx.rows`
      select id from destination where deployment_id = ${deployment} and kind = ${audience} and key = ${key}`;
    const known = row?.['id'];
    return {
      destination:
        typeof known === 'string' ? known : await insertDestination(tx, { deployment, kind: audience, key, name: key }),
    };
  },
  compose: async () => [],
  connect: async () => async () => ({ kind: 'sent' }),
});

const adapters = new DestinationAdapters([
  adapterFor('people', 'ACTION_TYPE_SLACK_APP'),
  adapterFor('trackers', 'ACTION_TYPE_JIRA'),
  adapterFor('machines', 'ACTION_TYPE_WEBHOOK'),
]);
const channel = (id: string) => ({ type: 'ACTION_TYPE_SLACK_APP' as const, config: { channel_id: id } });
const jira = { type: 'ACTION_TYPE_JIRA' as const, config: { project_id: '1', credential_slug: 'acme' } };
const webhook = { type: 'ACTION_TYPE_WEBHOOK' as const, config: { webhook_id: '1' } };

async function consider(minutes = 0): Promise<void> {
  for (;;) {
    const [job] = await world.queryAsOwner<{ batch: string }>(
      `update job set state = 'done', finished_at = now() where (deployment_id, id) = (
         select deployment_id, id from job where deployment_id = $1 and kind = 'automation.consider' and state = 'ready'
         order by id limit 1) returning payload->>'batch' as batch`,
      [place.id],
    );
    if (!job) return;
    const at = new Date(START + minutes * MINUTE_MS);
    await world.inDeployment(place, (tx) =>
      considerChanges(tx, adapters, { deployment: place.id, batch: job.batch, at }),
    );
  }
}

const many = (count: number, from = 0, rules = 1) =>
  Array.from({ length: count }, (_, index) => {
    const name = `f${from + index}`;
    const rule = `rule-${index % rules}`;
    return makeReportedFinding({ rule, path: `${name}.js`, line: 1, code: `eval(${name})`, context: `// ${name}` });
  });

const summary = async () =>
  (await deliveriesOf(scene())).map(({ kind, state, findings }) => `${kind} ${state} ${findings.length}`);

describe('many findings', () => {
  test('of one batch are one message per channel and one delivery to machines, however many there are', async () => {
    await automationOf(scene(), { actions: [channel('security'), webhook] });
    await automationOf(scene(), { actions: [channel('payments')] });
    await scans.scan(many(2000));
    await consider();
    assert.deepEqual(
      (await summary()).sort(),
      Array.from({ length: 3 }, () => 'findings waiting 2000'),
    );
  });

  test('that two automations send to one channel are one message that names both', async () => {
    await automationOf(scene(), { name: 'High', actions: [channel('security')] });
    await automationOf(scene(), {
      name: 'In the file',
      conditions: [condition('PATH', 'f0.js')],
      actions: [channel('security')],
    });
    await scans.scan(many(3));
    await consider();
    assert.deepEqual(await summary(), ['findings waiting 3']);
    const [row] = await world.queryAsOwner<{ names: string[] }>(
      `select array(select item->>'name' from jsonb_array_elements(subject->'automations') as item) as names
       from delivery where deployment_id = $1`,
      [place.id],
    );
    assert.deepEqual(row?.names, ['High', 'In the file']);
  });

  test('of the first full scan open no tickets: they are held', async () => {
    await automationOf(scene(), { actions: [jira] });
    await scans.scan(many(30, 0, 3));
    await consider();
    assert.deepEqual(
      await summary(),
      Array.from({ length: 3 }, () => 'ticket held 10'),
    );
  });

  test('of a later scan open at most 20 tickets, by rule and project, and the others are held', async () => {
    await automationOf(scene(), { actions: [jira] });
    await scans.scan(many(1));
    await consider();
    await scans.scan([...many(1), ...many(60, 1, 30)]);
    await consider();
    const tickets = (await deliveriesOf(scene())).slice(1);
    assert.equal(tickets.filter(({ state }) => state === 'waiting').length, 20);
    assert.equal(tickets.filter(({ state }) => state === 'held').length, 10);
    assert.deepEqual(new Set(tickets.map(({ findings }) => findings.length)), new Set([2]));
    assert.equal((await runsOf(scene())).at(-1)?.suppressed['held'], 20, 'the run counts what is held');
  });
});

describe('many messages', () => {
  test('to one channel within a quarter of an hour end in one digest', async () => {
    await automationOf(scene(), { actions: [channel('security')] });
    let all: ReturnType<typeof many> = [];
    for (let batch = 0; batch < 14; batch += 1) {
      all = [...all, ...many(1, batch)];
      await scans.scan(all);
      await consider(batch / 10);
    }
    const kinds = (await deliveriesOf(scene())).map(({ kind, findings }) => [kind, findings.length]);
    assert.deepEqual(
      kinds.slice(0, 10),
      Array.from({ length: 10 }, () => ['findings', 1]),
    );
    assert.deepEqual(kinds.slice(10), [['digest', 4]]);
    const digest = (await deliveriesOf(scene())).at(-1);
    assert.equal(digest?.next_at.getTime(), START + 15 * MINUTE_MS);
  });
});

describe('an automation that matches far more than usual within an hour', () => {
  test('has its next deliveries held, and the administrators are told once', async () => {
    await automationOf(scene(), { actions: [webhook] });
    await scans.scan(many(1100));
    await consider(0);
    const more = (count: number) => [...many(1100), ...many(count, 2000)];
    await scans.scan(more(1));
    await consider(10);
    await scans.scan(more(2));
    await consider(20);
    assert.deepEqual(await summary(), ['findings waiting 1100', 'findings held 1', 'findings held 1']);
    const notices = await world.queryAsOwner('select from notification where deployment_id = $1', [place.id]);
    assert.equal(notices.length, 1);
    await scans.scan(more(3));
    await consider(90);
    assert.equal((await summary()).at(-1), 'findings waiting 1');
  });
});
