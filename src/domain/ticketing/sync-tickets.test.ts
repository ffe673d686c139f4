import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import * as contract from '#services/issues/tickets/contract.ts';
import { automationOf, condition, considerAll, deliveriesOf, drain } from '#test/support/factories/automations.ts';
import { settingsOf, syncNow, TicketedProject, TRACKERS } from '#test/support/trackers/connected-trackers.ts';
import { FakeJira } from '#test/support/trackers/fake-jira.ts';
import type { FakeTracker } from '#test/support/trackers/fake-tracker.ts';
import { type TestDeployment, World } from '#test/support/world/world.ts';

const MINUTE_MS = 60_000;
const later = (minutes: number) => new Date(Date.now() + minutes * MINUTE_MS);

for (const tracker of TRACKERS)
  describe(`tickets of ${tracker.kind}`, () => {
    let world: World;
    let fake: FakeTracker;
    let place: TestDeployment;
    let instance: string;

    before(async () => {
      fake = await tracker.start();
      world = await World.start({ PARAPET_EGRESS_ALLOW: `127.0.0.1:${fake.port}` });
      place = await world.deployment();
      const made = await world
        .as(contract, place.admin.jwt)
        .createTicketingInstance({ path: { deploymentId: place.id }, body: settingsOf(tracker, fake) });
      assert.equal(made.status, 200, JSON.stringify(made.problem));
      instance = String(made.body.instance.id);
    });
    after(async () => {
      await world.stop();
      await fake.stop();
    });

    const scene = () => ({ world, place });
    const open = async (issueIds: string[]) => {
      const path = { deploymentId: place.id, ticketingInstanceId: instance };
      const made = await world.as(contract, place.admin.jwt).createExternalTickets({ path, body: { issueIds } });
      assert.equal(made.status, 200, JSON.stringify(made.problem));
      return made.body;
    };
    const last = () => fake.tickets.at(-1);
    const notices = async () =>
      (
        await world.queryAsOwner<{ title: string }>('select title from notification where deployment_id = $1', [
          place.id,
        ])
      ).map(({ title }) => title);

    test('are closed when all findings are fixed, and opened again when one returns', async () => {
      const project = await TicketedProject.start(scene());
      const ids = await project.scan(['eval', 3], ['eval', 40]);
      const [made] = (await open(ids)).succeeded;
      assert.equal(made?.ticketUrl.startsWith(fake.siteUrl), true);
      await project.scan(['eval', 40]);
      await syncNow(scene(), instance, later(15));
      assert.equal(last()?.isOpen, true);
      await project.scan();
      await syncNow(scene(), instance, later(30));
      assert.equal(last()?.isOpen, false);
      const requests = fake.requests.length;
      await syncNow(scene(), instance, later(45));
      assert.equal(fake.requests.length, requests);
      await project.scan(['eval', 3]);
      await syncNow(scene(), instance, later(60));
      assert.deepEqual([last()?.isOpen, last()?.comments.length], [true, 1]);
    });

    test('are looked for after a lost answer, and never opened twice', async () => {
      const project = await TicketedProject.start(scene());
      const before = fake.tickets.length;
      const ids = await project.scan(['exec', 3]);
      fake.failCreations({ kind: 'answer', status: 502, isAfter: true });
      assert.equal((await open(ids)).skipped.length, 1);
      for (const minutes of [5, 70]) await drain(scene(), instance, later(minutes));
      assert.equal(fake.tickets.length, before + 1);
      assert.equal((await deliveriesOf(scene())).at(-1)?.state, 'sent');
    });

    test('that somebody closes leave their findings open, with one notice', async () => {
      const project = await TicketedProject.start(scene());
      await open(await project.scan(['spawn', 3]));
      const ticket = last();
      assert.ok(ticket);
      ticket.isOpen = false;
      await syncNow(scene(), instance, later(100));
      await syncNow(scene(), instance, later(120));
      assert.equal((await notices()).filter((title) => title.includes('still detected')).length, 1);
      assert.equal(ticket.isOpen, false);
    });

    test('that vanish are unlinked after a second look', async () => {
      const project = await TicketedProject.start(scene());
      const ids = await project.scan(['fork', 3]);
      await open(ids);
      fake.tickets.pop();
      const count = async () =>
        (await world.queryAsOwner('select from ticket_finding where finding_id = $1', [ids[0]])).length;
      await syncNow(scene(), instance, later(150));
      assert.equal(await count(), 1);
      await syncNow(scene(), instance, later(175));
      assert.equal(await count(), 0);
    });

    test('are linked by the address that the browser shows', async () => {
      const project = await TicketedProject.start(scene());
      const ids = await project.scan(['link', 3]);
      const path = { deploymentId: place.id, ticketingInstanceId: instance };
      const body = { ticketUrl: `${fake.siteUrl}${tracker.ticketPath}`, issueIds: ids };
      const linked = await world.as(contract, place.admin.jwt).linkTicket({ path, body });
      assert.equal(linked.status, 200, JSON.stringify(linked.problem));
      assert.equal(linked.body.externalSlug, fake.tickets[0]?.name);
    });

    test('are opened by automations, once for each rule', async () => {
      const project = await TicketedProject.start(scene());
      const slug = `tracker-${tracker.kind.replace('_', '-')}`;
      const before = fake.tickets.length;
      await project.scan();
      await automationOf(scene(), {
        conditions: [condition('RULE_ID', 'auto')],
        actions: [{ type: 'ACTION_TYPE_JIRA', config: { project_id: tracker.projectId, credential_slug: slug } }],
      });
      await project.scan(['auto', 3], ['auto', 40]);
      await considerAll(scene());
      await drain(scene(), instance, later(1));
      await considerAll(scene());
      await drain(scene(), instance, later(2));
      assert.equal(fake.tickets.length, before + 1);
      assert.match(last()?.text ?? '', /src.*app\\?\.js/);
    });
  });

describe('a workflow without the wanted transition', () => {
  test('gets one comment when all is fixed, and a new ticket that names the old one when findings return', async () => {
    const jira = await FakeJira.start();
    const world = await World.start({ PARAPET_EGRESS_ALLOW: `127.0.0.1:${jira.port}` });
    try {
      const place = await world.deployment();
      const scene = { world, place };
      const api = world.as(contract, place.admin.jwt);
      const [tracker] = TRACKERS;
      assert.ok(tracker);
      const connected = await api.createTicketingInstance({
        path: { deploymentId: place.id },
        body: settingsOf(tracker, jira),
      });
      const instance = String(connected.body.instance.id);
      const project = await TicketedProject.start(scene);
      const issueIds = await project.scan(['eval', 3]);
      const path = { deploymentId: place.id, ticketingInstanceId: instance };
      await api.createExternalTickets({ path, body: { issueIds } });
      jira.isWorkflowFixed = true;
      await project.scan();
      await syncNow(scene, instance, later(15));
      await syncNow(scene, instance, later(30));
      assert.deepEqual(jira.tickets[0]?.comments.length, 1);
      const [ticket] = jira.tickets;
      assert.ok(ticket);
      ticket.isOpen = false;
      await project.scan(['eval', 3]);
      await syncNow(scene, instance, later(45));
      await drain(scene, instance, later(46));
      assert.equal(jira.tickets.length, 2);
      assert.match(jira.tickets[1]?.text ?? '', /SHOP-1 was about them/);
    } finally {
      await world.stop();
      await jira.stop();
    }
  });
});
