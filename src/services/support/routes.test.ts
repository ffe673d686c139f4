import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import * as notifications from '#services/notifications/contract.ts';
import { comparableHeaders, sendRequest } from '#test/support/http/exchange.ts';
import { type TestDeployment, World } from '#test/support/world/world.ts';
import * as contract from './contract.ts';

let world: World;
let place: TestDeployment;

before(async () => {
  world = await World.start();
  place = await world.deployment();
});
after(() => world.stop());

const open = (jwt: string, members: { deploymentId: string; subject?: string; organizationId?: string }) =>
  world.as(contract, jwt).createSupportCase({
    body: { subject: 'Help', description: 'It is slow.', priority: 'PRIORITY_HIGH', ...members },
  });
const list = async (jwt: string, orgid = place.id) =>
  (await world.as(contract, jwt).listSupportCases({ path: { orgid } })).body.supportCases;

describe('a support case', () => {
  test('is listed as it was opened', async () => {
    const { status, body } = await open(place.admin.jwt, { deploymentId: place.slug, subject: ' Slow scans ' });
    assert.deepEqual([status, body], [200, {}]);
    const [found] = await list(place.admin.jwt, place.slug);
    assert.equal(found?.subject, 'Slow scans');
    assert.deepEqual(
      [found?.priority, found?.caseType, found?.status],
      ['PRIORITY_HIGH', 'TYPE_QUESTION', 'STATUS_OPEN'],
    );
    assert.ok(Math.abs(Date.parse(found?.createdAt ?? '') - Date.now()) < 60_000);
  });

  test('of another person is visible to administrators only', async () => {
    const where = await world.deployment();
    const [one, other] = [await world.member(where), await world.member(where)];
    await open(one.jwt, { deploymentId: where.id, subject: 'Mine' });
    const subjects = async (jwt: string) => (await list(jwt, where.id)).map(({ subject }) => subject);
    assert.deepEqual(await subjects(one.jwt), ['Mine']);
    assert.deepEqual(await subjects(other.jwt), []);
    assert.deepEqual(await subjects(where.admin.jwt), ['Mine']);
  });

  test('notifies the administrators in the product', async () => {
    const where = await world.deployment();
    const member = await world.member(where);
    await open(member.jwt, { deploymentId: where.id, subject: 'Look here' });
    const seen = async (jwt: string) =>
      (await world.as(notifications, jwt).getNotifications({ path: { deploymentId: where.id } })).body.notifications;
    assert.match((await seen(where.admin.jwt))[0]?.title ?? '', /^Support case \d+: Look here$/);
    assert.deepEqual(await seen(member.jwt), []);
  });

  test('cannot be opened in a foreign deployment, which looks like a missing one (TEN-02)', async () => {
    const other = await world.deployment();
    const send = (deploymentId: string) =>
      sendRequest(world.baseUrl, {
        method: 'POST',
        target: '/api/support/cases',
        headers: {
          authorization: `Bearer ${place.admin.jwt}`,
          'content-type': 'application/json',
          'x-request-id': 'the-same-request',
        },
        body: JSON.stringify({ subject: 'x', description: 'y', deploymentId }),
      });
    const [foreign, absent, slug] = [await send(other.id), await send('999999999999'), await send(other.slug)];
    assert.equal(foreign.status, 404);
    assert.deepEqual([foreign.text, slug.text], [absent.text, absent.text]);
    assert.deepEqual(comparableHeaders(foreign), comparableHeaders(absent));
    assert.deepEqual(await list(other.admin.jwt, other.id), []);
  });

  test('cannot be opened by readers', async () => {
    const reader = await world.member(place, 'ORG_ROLE_READONLY');
    assert.equal((await open(reader.jwt, { deploymentId: place.id })).problem.code, 'PERMISSION_DENIED');
  });

  test('accepts only the organization of its deployment or none', async () => {
    const other = await world.deployment();
    const [own] = await world.queryAsOwner<{ id: string }>(
      'select organization_id as id from deployment where id = $1',
      [place.id],
    );
    const verdict = async (organizationId: string) =>
      (await open(place.admin.jwt, { deploymentId: place.id, organizationId })).status;
    assert.deepEqual([await verdict(own?.id ?? ''), await verdict(place.id), await verdict('')], [200, 200, 200]);
    assert.deepEqual([await verdict(other.id), await verdict('no such thing')], [400, 400]);
  });

  test('is audited in the deployment of the body', async () => {
    const where = await world.deployment();
    await open(where.admin.jwt, { deploymentId: where.id });
    const rows = await world.queryAsOwner(
      "select from audit_record where deployment_id = $1 and operation = 'SupportService.createSupportCase'",
      [where.id],
    );
    assert.equal(rows.length, 1);
  });

  test('is limited to 100 a day, also concurrently (CON-04)', async () => {
    const where = await world.deployment();
    await world.queryAsOwner(
      `insert into support_case (deployment_id, type, priority, subject, description, email, opened_by)
       select $1, 'TYPE_QUESTION', 'PRIORITY_LOW', 'Earlier', 'x', 'a@example.com', $2 from generate_series(1, 95)`,
      [where.id, where.admin.id],
    );
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => open(where.admin.jwt, { deploymentId: where.id })),
    );
    assert.equal(answers.filter(({ status }) => status === 200).length, contract.MAX_CASES_PER_DAY - 95);
    assert.equal(answers.filter(({ problem }) => problem.code === 'SUPPORT_CASE_QUOTA').length, 3);
  });
});
