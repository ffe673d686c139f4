import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { Id } from '#kernel/contract/proto-fields.ts';
import * as deliveryContract from '#services/deliveries/contract.ts';
import * as v1 from '#services/findings-v1/contract.ts';
import * as v1Tickets from '#services/findings-v1/ticket-contract.ts';
import { deliveriesOf, drain } from '#test/support/factories/automations.ts';
import { settingsOf, TicketedProject, TRACKERS } from '#test/support/trackers/connected-trackers.ts';
import { FakeJira } from '#test/support/trackers/fake-jira.ts';
import { type TestDeployment, World } from '#test/support/world/world.ts';
import * as issues from '../list/contract.ts';
import * as contract from './contract.ts';

const MINUTE_MS = 60_000;
const JIRA = TRACKERS.find(({ kind }) => kind === 'jira') as (typeof TRACKERS)[number];

let world: World;
let jira: FakeJira;
let place: TestDeployment;
let project: TicketedProject;
let instance: string;

before(async () => {
  jira = await FakeJira.start();
  world = await World.start({ PARAPET_EGRESS_ALLOW: `127.0.0.1:${jira.port}` });
});
after(async () => {
  await world.stop();
  await jira.stop();
});

const scene = () => ({ world, place });
const admin = () => world.as(contract, place.admin.jwt);
const path = () => ({ deploymentId: place.id });
const settings = () => settingsOf(JIRA, jira);
const create = (body: object, token?: string) =>
  world
    .as(contract, token ?? place.admin.jwt)
    .createExternalTickets({ path: { ...path(), ticketingInstanceId: instance }, body });
const later = (minutes: number) => new Date(Date.now() + minutes * MINUTE_MS);

beforeEach(async () => {
  jira.tickets.length = 0;
  jira.requests.length = 0;
  jira.isRevoked = false;
  jira.isSearchSlow = false;
  jira.fields = jira.fields.slice(0, 1);
  place = await world.deployment();
  project = await TicketedProject.start(scene());
  const made = await admin().createTicketingInstance({ path: path(), body: settings() });
  assert.equal(made.status, 200, JSON.stringify(made.problem));
  instance = String(made.body.instance.id);
});

describe('connecting a tracker', () => {
  test('shows it without its token', async () => {
    const { body } = await admin().getTicketingInstances({ path: path() });
    assert.equal(body.instances.length, 1);
    assert.deepEqual(
      [body.instances[0]?.instanceType, body.instances[0]?.projectId, body.instances[0]?.isConfigured],
      ['jira', 'SHOP', true],
    );
    assert.doesNotMatch(JSON.stringify(body), /a-token-of-the-test/);
  });

  test('is refused if the tracker does not accept the token, the project or the type of tickets', async () => {
    jira.isRevoked = true;
    const refused = await admin().createTicketingInstance({ path: path(), body: settings() });
    assert.deepEqual([refused.status, refused.problem.code], [400, 'TRACKER_REFUSED']);
    jira.isRevoked = false;
    const unknown = await admin().createTicketingInstance({
      path: path(),
      body: { ...settings(), projectId: 'OTHER' },
    });
    assert.deepEqual([unknown.status, unknown.problem.code], [400, 'TRACKER_REFUSED']);
  });

  test('is refused while a required field of the tracker has no value, and then fills it', async () => {
    jira.fields.push({
      ...{ fieldId: 'customfield_1', name: 'Team', required: true, schema: { type: 'option' } },
      allowedValues: [{ value: 'Security' }],
    });
    const body = { ...settings(), name: 'With a field' };
    const refused = await admin().createTicketingInstance({ path: path(), body });
    assert.deepEqual(
      refused.problem.errors?.map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`),
      ['#/fields/all/customfield_1 REQUIRED'],
    );
    const wrong = { ...body, fields: { all: { customfield_1: { value: 'Sales' } } } };
    assert.equal((await admin().createTicketingInstance({ path: path(), body: wrong })).status, 400);
    const fields = { all: { customfield_1: { value: 'Security' }, labels: { from: 'severity' } } } as const;
    const made = await admin().createTicketingInstance({ path: path(), body: { ...body, fields } });
    assert.equal(made.status, 200, JSON.stringify(made.problem));
    instance = String(made.body.instance.id);
    await create({ issueIds: await project.scan(['eval', 3]) });
    const [ticket] = jira.tickets;
    assert.deepEqual(ticket?.fields['customfield_1'], { value: 'Security' });
    assert.equal(ticket?.labels[0], 'high');
  });

  test('keeps the token only for the same account at the same address', async () => {
    const { token: _, ...rest } = settings();
    const at = { ...path(), ticketingInstanceId: instance };
    const renamed = await admin().updateTicketingInstance({ path: at, body: { ...rest, name: 'New name' } });
    assert.deepEqual([renamed.status, renamed.body.instance?.name], [200, 'New name']);
    const moved = await admin().updateTicketingInstance({ path: at, body: { ...rest, account: 'other@example.com' } });
    assert.deepEqual([moved.status, moved.problem.code], [400, 'TRACKER_TOKEN_REQUIRED']);
  });

  test('ends with the tracker, and the tickets stay there', async () => {
    await create({ issueIds: await project.scan(['eval', 3]) });
    const at = { ...path(), ticketingInstanceId: instance };
    assert.equal((await admin().deleteTicketingInstance({ path: at })).status, 200);
    assert.deepEqual((await admin().getTicketingInstances({ path: path() })).body.instances, []);
    assert.equal(jira.tickets.length, 1);
  });
});

describe('opening tickets', () => {
  test('groups findings by rule, shows the ticket at each finding, and skips them the next time', async () => {
    const ids = await project.scan(['eval', 3], ['eval', 40], ['exec', 80]);
    const { body, status, problem } = await create({ issueIds: ids });
    assert.equal(status, 200, JSON.stringify(problem));
    assert.deepEqual(body.failed, []);
    assert.deepEqual(body.succeeded.map(({ issueIds }) => issueIds.length).sort(), [1, 2]);
    assert.equal(jira.tickets.length, 2);
    assert.match(jira.tickets[0]?.text ?? '', /src\/app\.js/);
    const [first] = body.succeeded;
    const shown = await world
      .as(issues, place.admin.jwt)
      .getIssue({ path: { ...path(), issueId: String(first?.issueIds[0]) } });
    const { externalTicket } = shown.body;
    assert.deepEqual(externalTicket, {
      url: first?.ticketUrl,
      externalSlug: first?.externalSlug,
      id: String(first?.ticketId),
      linkedIssueIds: first?.issueIds.map(String),
    });
    const again = await create({ issueIds: ids });
    assert.deepEqual([again.body.succeeded, again.body.skipped.length, jira.tickets.length], [[], 2, 2]);
    const findingId = String(first?.issueIds[0]) as Id<'Finding'>;
    const sent = await world
      .as(deliveryContract, place.admin.jwt)
      .listFindingDeliveries({ path: { ...path(), findingId } });
    assert.deepEqual([sent.body.ticket?.state, sent.body.ticket?.url], ['open', first?.ticketUrl]);
  });

  test('opens one ticket for each finding if they are not to be grouped', async () => {
    const ids = await project.scan(['eval', 3], ['eval', 40]);
    const { body } = await create({ issueIds: ids, groupIssues: false });
    assert.deepEqual([body.succeeded.length, jira.tickets.length], [2, 2]);
  });

  test('selects by filters, and needs a selection', async () => {
    await project.scan(['eval', 3], ['exec', 80]);
    const { body } = await create({ issueFilters: { rules: ['exec'] } });
    assert.equal(body.succeeded.length, 1);
    assert.equal((await create({ issueFilters: { rules: ['exec'] } })).body.succeeded.length, 0);
    assert.equal((await create({})).status, 400);
  });

  test('opens one ticket when many ask for it at the same moment', async () => {
    const ids = await project.scan(['eval', 3]);
    const replies = await Promise.all(Array.from({ length: 25 }, () => create({ issueIds: ids })));
    assert.equal(replies.filter(({ body }) => body.succeeded.length === 1).length, 1);
    assert.equal(jira.tickets.length, 1);
  });

  test('refuses fixed findings', async () => {
    const ids = await project.scan(['eval', 3]);
    await project.scan();
    const { body } = await create({ issueIds: ids });
    assert.deepEqual([body.succeeded, body.failed.length, jira.tickets.length], [[], 1, 0]);
  });

  test('queues what exceeds the tickets of one request, and opens it afterwards', async () => {
    const ids = await project.scan(
      ...Array.from({ length: 22 }, (_, index): [string, number] => [`rule-${index}`, 10 * index + 1]),
    );
    const { body } = await create({ issueIds: ids });
    assert.deepEqual([body.succeeded.length, body.skipped.map(({ reason }) => reason)], [20, ['queued', 'queued']]);
    await drain(scene(), instance, new Date());
    assert.equal(jira.tickets.length, 22);
  });

  test('says at the finding why the tracker refused, and allows another attempt', async () => {
    const ids = await project.scan(['eval', 3]);
    jira.failCreations({ kind: 'answer', status: 400 });
    const { body } = await create({ issueIds: ids });
    assert.deepEqual(body.failed.length, 1);
    const shown = await world.as(issues, place.admin.jwt).getIssue({ path: { ...path(), issueId: ids[0] ?? '0' } });
    const { ticketAttempts } = shown.body;
    assert.equal(ticketAttempts.length, 1);
    assert.equal((await create({ issueIds: ids })).body.succeeded.length, 1);
  });

  for (const fault of [
    { kind: 'answer', status: 500, isAfter: true },
    { kind: 'drop', isAfter: true },
    { kind: 'garbage', isAfter: true },
  ] as const)
    test(`finds the ticket again after ${fault.kind} instead of an answer`, async () => {
      const ids = await project.scan(['eval', 3]);
      jira.failCreations(fault);
      const { body } = await create({ issueIds: ids });
      assert.match(body.skipped[0]?.reason ?? '', /^queued/);
      await drain(scene(), instance, later(1));
      await drain(scene(), instance, later(5));
      const [delivery] = await deliveriesOf(scene());
      assert.deepEqual([jira.tickets.length, delivery?.state], [1, 'sent']);
    });

  test('looks twice before it opens a ticket again, because searches lag', async () => {
    const ids = await project.scan(['eval', 3]);
    jira.isSearchSlow = true;
    jira.failCreations({ kind: 'drop', isAfter: true });
    await create({ issueIds: ids });
    await drain(scene(), instance, later(5));
    jira.index();
    await drain(scene(), instance, later(60));
    const [delivery] = await deliveriesOf(scene());
    assert.deepEqual([jira.tickets.length, delivery?.state], [1, 'sent']);
  });

  test('opens the ticket after all if the lost call did nothing', async () => {
    const ids = await project.scan(['eval', 3]);
    jira.failCreations({ kind: 'drop' });
    await create({ issueIds: ids });
    for (const minutes of [5, 60]) await drain(scene(), instance, later(minutes));
    assert.equal(jira.tickets.length, 1);
  });

  test('waits as long as the tracker asks, and tells when the token is not accepted any more', async () => {
    const ids = await project.scan(['eval', 3]);
    jira.failCreations({ kind: 'answer', status: 429, headers: { 'retry-after': '300' } });
    assert.match((await create({ issueIds: ids })).body.skipped[0]?.reason ?? '', /^queued/);
    jira.isRevoked = true;
    await drain(scene(), instance, later(10));
    const { body } = await admin().getTicketingInstances({ path: path() });
    assert.equal(body.instances[0]?.isAuthRevoked, true);
    jira.isRevoked = false;
    await admin().updateTicketingInstance({ path: { ...path(), ticketingInstanceId: instance }, body: settings() });
    await drain(scene(), instance, later(1000));
    assert.equal(jira.tickets.length, 1);
  });
});

describe('links', () => {
  const link = (ticketUrl: string, issueIds: string[]) =>
    admin().linkTicket({ path: { ...path(), ticketingInstanceId: instance }, body: { ticketUrl, issueIds } });

  test('replace the ticket of a finding, and end without touching the ticket', async () => {
    const ids = await project.scan(['eval', 3], ['exec', 80]);
    await create({ issueIds: ids });
    const linked = await link(`${jira.siteUrl}/browse/SHOP-1`, ids);
    assert.equal(linked.status, 200, JSON.stringify(linked.problem));
    assert.deepEqual([linked.body.linkedIssueIds.length, linked.body.replacedIssueIds.length], [2, 1]);
    const at = { ...path(), ticketingInstanceId: instance };
    const unlinked = await admin().unlinkTicket({ path: at, body: { issueIds: [ids[0] ?? ''] } });
    assert.deepEqual(unlinked.body.unlinkedIssueIds.map(String), [ids[0]]);
    const deleted = await admin().deleteExternalTicket({
      path: { ...at, externalTicketId: String(linked.body.ticketId) },
    });
    assert.deepEqual(deleted.body.issueIds, [ids[1]]);
    assert.deepEqual(
      jira.tickets.map(({ isOpen }) => isOpen),
      [true, true],
    );
  });

  test('are refused for other addresses, which are never fetched, and for tickets that do not exist', async () => {
    const ids = await project.scan(['eval', 3]);
    const before = jira.requests.length;
    for (const url of [
      'http://127.0.0.1:1/browse/SHOP-1',
      `${jira.siteUrl}/secret`,
      `${jira.siteUrl}/browse/../admin`,
    ]) {
      const refused = await link(url, ids);
      assert.deepEqual([refused.status, refused.problem.code], [400, 'TICKET_URL_REFUSED'], url);
    }
    assert.equal(jira.requests.length, before);
    const unknown = await link(`${jira.siteUrl}/browse/SHOP-99`, ids);
    assert.deepEqual([unknown.status, unknown.problem.code], [400, 'TICKET_UNKNOWN']);
  });

  test('are hidden from people who do not see the findings', async () => {
    const ids = await project.scan(['eval', 3]);
    const made = await create({ issueIds: ids });
    const stranger = await world.memberWithoutTeam(place);
    const refused = await create({ issueIds: ids }, stranger.jwt);
    assert.equal(refused.status, 400);
    const at = { ...path(), ticketingInstanceId: instance, externalTicketId: String(made.body.succeeded[0]?.ticketId) };
    assert.equal((await world.as(contract, stranger.jwt).deleteExternalTicket({ path: at })).status, 404);
  });
});

describe('tickets in v1', () => {
  const old = () => world.as(v1Tickets, place.admin.jwt);

  test('are opened up to the limit, and the overflow fails', async () => {
    const ids = await project.scan(['eval', 3], ['exec', 80]);
    const body = { issue_type: 'sast', issue_ids: ids, limit: 1 } as const;
    const made = await old().createTicket({ path: { deploymentSlug: place.slug }, body });
    assert.equal(made.status, 200, JSON.stringify(made.problem));
    assert.deepEqual([made.body.succeeded.length, made.body.failed.length, jira.tickets.length], [1, 1, 1]);
    const [finding] = (
      await world
        .as(v1, place.admin.jwt)
        .listFindings({ path: { deploymentSlug: place.slug }, query: { q: 'has:ticket' } })
    ).body.findings;
    const { external_ticket: ticket } = finding as unknown as { external_ticket: { url: string; id: number } };
    assert.deepEqual(
      [ticket.url, ticket.id],
      [made.body.succeeded[0]?.ticket_url, Number(made.body.succeeded[0]?.ticket_id)],
    );
  });

  test('are linked by their address, unlinked and forgotten', async () => {
    const ids = await project.scan(['eval', 3], ['exec', 80]);
    await create({ issueIds: [ids[0]] });
    const body = { ticket_url: `${jira.siteUrl}/browse/SHOP-1`, issue_ids: [ids[1] ?? ''] };
    const linked = await old().linkTicket({ path: path(), body });
    assert.deepEqual([linked.status, linked.body.linked_issue_ids], [200, [ids[1]]]);
    const unlinked = await old().unlinkTicket({ path: path(), body: { issue_ids: [ids[1] ?? ''] } });
    assert.deepEqual(unlinked.body.unlinked_issue_ids, [ids[1]]);
    const at = { ...path(), externalTicketId: String(linked.body.ticket_id) };
    assert.deepEqual((await old().deleteTicket({ path: at })).body.issueIds, [ids[0]]);
    assert.equal(jira.tickets.length, 1);
  });

  test('fail without retry when the tracker does not want more calls', async () => {
    const ids = await project.scan(['eval', 3]);
    jira.failCreations({ kind: 'answer', status: 429 });
    const body = { issue_type: 'sast', issue_ids: ids } as const;
    const made = await old().createTicket({ path: { deploymentSlug: place.slug }, body });
    assert.equal(made.body.failed.length, 1);
    await drain(scene(), instance, later(60));
    assert.equal(jira.tickets.length, 0);
  });
});
