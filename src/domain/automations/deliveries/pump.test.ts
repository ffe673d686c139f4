import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { adaptersOf } from '#domain/destinations/all-adapters.ts';
import { automationOf, considerAll, deliveriesOf, drain, webhookOf } from '#test/support/factories/automations.ts';
import { makeReportedFinding, ProjectScans } from '#test/support/factories/project-scans.ts';
import { WebhookReceiver } from '#test/support/world/webhook-receiver.ts';
import { type TestDeployment, World } from '#test/support/world/world.ts';
import { cancelUnsent, dismissHeld, insertDelivery, releaseHeld, replayDeliveries } from './delivery-store.ts';
import { activateDestination } from './destination-store.ts';
import { drainDestination } from './pump.ts';

let world: World;
let place: TestDeployment;
let receiver: WebhookReceiver;
let webhook: string;

const START = Date.parse('2026-11-16T12:00:00Z');
const HOUR_MS = 3_600_000;
const later = (ms: number) => new Date(START + ms);

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
  receiver.always = undefined;
  webhook = await webhookOf(scene(), receiver.url, 'a secret of the receiver');
});

const scene = () => ({ world, place });
const found = (name: string) =>
  makeReportedFinding({ path: `${name}.js`, line: 1, code: `eval(${name})`, context: `// ${name}` });

/** A delivery about one new finding. */
async function deliver(count = 1): Promise<void> {
  const scans = await ProjectScans.start(world, place);
  await scans.scan(Array.from({ length: count }, (_, index) => found(`f${index}`)));
  const findings = (await scans.findings()).map(({ id }) => id);
  await world.inDeployment(place, (tx) =>
    insertDelivery(tx, {
      ...{ deployment: place.id, destination: webhook, kind: 'findings', subject: {}, findings },
      ...{ state: 'waiting', at: later(0) },
    }),
  );
}

const destination = async () => {
  const [row] = await world.queryAsOwner<{
    state: string;
    failures: number;
    paused_until: Date | null;
    state_reason: string | null;
  }>('select state, failures, paused_until, state_reason from destination where deployment_id = $1', [place.id]);
  assert.ok(row);
  return row;
};
const states = async () => (await deliveriesOf(scene())).map(({ state }) => state);
const idsSeen = () => receiver.received.map(({ headers }) => headers['webhook-id']);

describe('a delivery', () => {
  test('is repeated with the same id and the same bytes until the receiver has it', async () => {
    await deliver();
    receiver.fail({ status: 500 }, 'drop', 'garbage');
    for (const minutes of [0, 1, 10, 60]) await drain(scene(), webhook, later(minutes * 60_000));
    assert.equal(receiver.received.length, 4);
    assert.equal(new Set(idsSeen()).size, 1);
    assert.equal(new Set(receiver.received.map(({ body }) => body)).size, 1);
    assert.deepEqual(await states(), ['sent']);
    const attempts = await world.queryAsOwner<{ outcome: string; status: number | null; detail: string | null }>(
      'select outcome, status, detail from delivery_attempt where deployment_id = $1 order by id',
      [place.id],
    );
    assert.deepEqual(
      attempts.map(({ outcome, status }) => [outcome, status]),
      [
        ['failed', 500],
        ['failed', null],
        ['failed', null],
        ['sent', 200],
      ],
    );
  });

  test('keeps its bytes although its finding changes between attempts', async () => {
    await deliver();
    receiver.fail({ status: 503 });
    await drain(scene(), webhook, later(0));
    await world.queryAsOwner(`update finding set message = 'changed' where deployment_id = $1`, [place.id]);
    await drain(scene(), webhook, later(60_000));
    assert.equal(receiver.received[0]?.body, receiver.received[1]?.body);
  });

  test('fails for good after ten attempts in 75 hours, and can be replayed with its id (WHK-04)', async () => {
    await deliver();
    receiver.always = { status: 500, body: 'no' };
    let at = later(0);
    for (let attempt = 0; attempt < 30; attempt += 1) {
      await drain(scene(), webhook, at);
      const [delivery] = await deliveriesOf(scene());
      if (delivery?.state !== 'waiting') break;
      const { paused_until: pausedUntil } = await destination();
      at = new Date(Math.max(delivery.next_at.getTime(), pausedUntil?.getTime() ?? 0));
    }
    assert.equal(receiver.received.length, 10);
    assert.deepEqual(await states(), ['failed']);
    assert.ok(Math.abs(at.getTime() - START - 75.6 * HOUR_MS) < HOUR_MS);
    receiver.always = undefined;
    const [dead] = await deliveriesOf(scene());
    const order = { ids: [dead?.id ?? ''], by: 'ann', at };
    assert.deepEqual(await world.inDeployment(place, (tx) => replayDeliveries(tx, place.id, order)), order.ids);
    await drain(scene(), webhook, new Date(at.getTime() + HOUR_MS));
    assert.deepEqual(await states(), ['sent']);
    assert.equal(new Set(idsSeen()).size, 1);
  });

  test('of 120 findings is several requests of at most 20 KiB, with ids of their own (WHK-06)', async () => {
    await deliver(120);
    await drain(scene(), webhook, later(0));
    const sizes = (receiver.bodies as unknown[][]).map((body) => body.length);
    assert.equal(
      sizes.reduce((sum, size) => sum + size, 0),
      120,
    );
    assert.ok(sizes.every((size) => size <= 50));
    assert.ok(receiver.received.every(({ body }) => body.length <= 20 * 1024));
    assert.equal(new Set(idsSeen()).size, sizes.length);
  });

  test('continues with the part that failed, and repeats no other', async () => {
    await deliver(120);
    receiver.fail({ status: 200 }, { status: 500 });
    await drain(scene(), webhook, later(0));
    await drain(scene(), webhook, later(60_000));
    const ids = idsSeen();
    assert.equal(ids.filter((id) => id === ids[0]).length, 1);
    assert.equal(ids.filter((id) => id === ids[1]).length, 2);
    assert.deepEqual(await states(), ['sent']);
  });

  test('is cancelled before its first attempt when its automation goes, and not after it', async () => {
    const automation = await automationOf(scene(), {
      actions: [{ type: 'ACTION_TYPE_WEBHOOK', config: { webhook_id: webhook } }],
    });
    const scans = await ProjectScans.start(world, place);
    await scans.scan([found('a')]);
    await considerAll(scene(), later(0));
    receiver.fail({ status: 500 });
    await drain(scene(), webhook, later(0));
    await scans.scan([found('a'), found('b')]);
    await considerAll(scene(), later(1000));
    const cancel = { reason: 'deleted', by: 'ann', at: later(2000) };
    await world.inDeployment(place, (tx) => cancelUnsent(tx, { deployment: place.id, id: automation }, cancel));
    assert.deepEqual(await states(), ['waiting', 'cancelled']);
    await drain(scene(), webhook, later(60_000));
    assert.deepEqual(await states(), ['sent', 'cancelled']);
  });

  test('that is held is sent when it is released, and never when it is dismissed', async () => {
    await deliver();
    await deliver();
    await world.queryAsOwner(`update delivery set state = 'held' where deployment_id = $1`, [place.id]);
    await drain(scene(), webhook, later(0));
    assert.equal(receiver.received.length, 0);
    const [first, second] = (await deliveriesOf(scene())).map(({ id }) => id);
    const by = { by: 'ann', at: later(0) };
    await world.inDeployment(place, async (tx) => {
      assert.deepEqual(await releaseHeld(tx, place.id, { ids: [first ?? ''], ...by }), [first]);
      assert.deepEqual(await dismissHeld(tx, place.id, { ids: [first ?? '', second ?? ''], ...by }), [second]);
    });
    await drain(scene(), webhook, later(0));
    assert.deepEqual(await states(), ['sent', 'cancelled']);
  });

  test('whose finding was deleted is cancelled', async () => {
    await deliver();
    await world.queryAsOwner('delete from finding where deployment_id = $1', [place.id]);
    await drain(scene(), webhook, later(0));
    assert.deepEqual(await states(), ['cancelled']);
  });
});

describe('a destination', () => {
  test('pauses after four failures in a row, sends one request per pause, and recovers', async () => {
    for (let index = 0; index < 6; index += 1) await deliver();
    receiver.always = { status: 502 };
    await drain(scene(), webhook, later(0));
    assert.equal(receiver.received.length, 4);
    await drain(scene(), webhook, later(30_000));
    assert.equal(receiver.received.length, 4, 'nothing is sent during the pause');
    await drain(scene(), webhook, later(61_000));
    assert.equal(receiver.received.length, 5, 'after the pause it sends one');
    const notices = await world.queryAsOwner('select from notification where deployment_id = $1', [place.id]);
    assert.equal(notices.length, 1, 'the owners are told once');
    receiver.always = undefined;
    await drain(scene(), webhook, later(HOUR_MS));
    assert.deepEqual(new Set(await states()), new Set(['sent']));
    assert.equal((await destination()).failures, 0);
  });

  test('that asks for a pause gets it', async () => {
    await deliver();
    await deliver();
    receiver.fail({ status: 429, headers: { 'retry-after': '120' } });
    await drain(scene(), webhook, later(0));
    assert.equal(receiver.received.length, 1);
    await drain(scene(), webhook, later(119_000));
    assert.equal(receiver.received.length, 1);
    await drain(scene(), webhook, later(121_000));
    assert.deepEqual(await states(), ['sent', 'sent']);
  });

  test('that answers 410 is disabled, and sends what waits after somebody changed it', async () => {
    await deliver();
    receiver.fail({ status: 410 });
    await drain(scene(), webhook, later(0));
    assert.equal((await destination()).state, 'disabled');
    await drain(scene(), webhook, later(HOUR_MS));
    assert.equal(receiver.received.length, 1);
    await world.inDeployment(place, (tx) => activateDestination(tx, { deployment: place.id, id: webhook }));
    await drain(scene(), webhook, later(2 * HOUR_MS));
    assert.deepEqual(await states(), ['sent']);
  });

  test('that fails for five days is disabled', async () => {
    receiver.always = { status: 500 };
    await deliver();
    await drain(scene(), webhook, later(0));
    await drain(scene(), webhook, later(6 * 24 * HOUR_MS));
    const { state, state_reason: reason } = await destination();
    assert.deepEqual([state, reason], ['disabled', 'It failed for five days.']);
  });

  test('has one worker at a time, and what arrives meanwhile is not lost', async () => {
    for (let index = 0; index < 5; index += 1) await deliver();
    const counts = await Promise.all(Array.from({ length: 8 }, () => drain(scene(), webhook, later(0))));
    assert.equal(counts.filter((count) => count > 0).length, 1);
    assert.equal(receiver.received.length, 5);
    assert.equal(new Set(idsSeen()).size, 5);
  });

  test('that answers with a redirect fails, and the redirect is not followed', async () => {
    await deliver();
    receiver.fail({ status: 302, headers: { location: receiver.url } });
    await drain(scene(), webhook, later(0));
    const [delivery] = await deliveriesOf(scene());
    assert.match(delivery?.reason ?? '', /redirect/);
  });
});

describe('a worker that is killed between the call and its record', () => {
  /** Ends the process, as far as the database can tell: nothing is recorded after the call. */
  class Killed extends Error {}

  test('repeats that one call with the same id, and loses nothing', async () => {
    for (let index = 0; index < 3; index += 1) await deliver();
    const adapters = adaptersOf(world.assembly.services);
    const db = world.assembly.db;
    let writes = 0;
    // The third transaction would record the first call.
    const dying = new Proxy(db, {
      get: (target, name) =>
        name === 'transaction'
          ? (options: Parameters<typeof db.transaction>[0], work: Parameters<typeof db.transaction>[1]) => {
              writes += 1;
              if (writes >= 3) throw new Killed();
              return target.transaction(options, work);
            }
          : Reflect.get(target, name),
    });
    const ref = { deployment: place.id, id: webhook };
    await assert.rejects(drainDestination({ db: dying, adapters, clock: () => later(0) }, ref), Killed);
    assert.equal(receiver.received.length, 1);
    assert.equal(await drain(scene(), webhook, later(0)), 0, 'the lease of the dead worker holds');
    await world.queryAsOwner(
      `update destination set lease_until = now() - interval '1 second' where deployment_id = $1`,
      [place.id],
    );
    await drain(scene(), webhook, later(0));
    assert.deepEqual(await states(), ['sent', 'sent', 'sent']);
    const ids = idsSeen();
    assert.equal(ids.length, 4);
    assert.equal(new Set(ids).size, 3);
    assert.equal(ids[0], ids[1]);
  });
});
