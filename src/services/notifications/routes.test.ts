import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { deleteOld, type NewNotification, notify } from '#domain/notifications/store.ts';
import { type TestDeployment, uniqueName, World } from '#test/support/world/world.ts';
import * as contract from './contract.ts';

let world: World;
let place: TestDeployment;

before(async () => {
  world = await World.start();
  place = await world.deployment();
});
after(() => world.stop());

const tell = (news: Partial<NewNotification> = {}, where = place) =>
  world.inDeployment(where, (tx) =>
    notify(tx, {
      deployment: where.id,
      severity: 'SEVERITY_INFO',
      title: uniqueName('News '),
      description: '',
      ...news,
    }),
  );
const listOf = async (credential: string, where = place) =>
  (await world.as(contract, credential).getNotifications({ path: { deploymentId: where.id } })).body.notifications;
const idsOf = async (credential: string) => (await listOf(credential)).map(({ id }) => id);
const see = (credential: string, ...notificationIds: string[]) =>
  world
    .as(contract, credential)
    .markNotificationsAsSeen({ path: { deploymentId: place.id }, body: { notificationIds } });

describe('notifications', () => {
  test('reach exactly their recipients: everybody, administrators or one account', async () => {
    const [one, other] = [await world.member(place), await world.member(place)];
    const all = await tell();
    const admins = await tell({ isAdminOnly: true });
    const mine = await tell({ account: one.id });
    assert.deepEqual(await idsOf(one.jwt), [mine, all]);
    assert.deepEqual(await idsOf(other.jwt), [all]);
    assert.deepEqual(await idsOf(place.admin.jwt), [admins, all]);
    const token = await world.token(place, { role: 'TOKEN_ROLE_READ_ONLY' });
    assert.deepEqual(await idsOf(token.text), [all], 'a token is no person, and a reading one no administrator');
  });

  test('follow the current role of an account', async () => {
    const member = await world.member(place, 'ORG_ROLE_ADMIN');
    const secret = await tell({ isAdminOnly: true });
    assert.ok((await idsOf(member.jwt)).includes(secret));
    await world.queryAsOwner("update membership set role = 'ORG_ROLE_MEMBER' where account_id = $1", [member.id]);
    assert.equal((await idsOf(member.jwt)).includes(secret), false);
    assert.equal((await see(member.jwt, secret)).problem.code, 'NOTIFICATION_UNKNOWN');
  });

  test('are marked as seen per caller, also by read-only members', async () => {
    const [one, other] = [await world.member(place, 'ORG_ROLE_READONLY'), await world.member(place)];
    const reading = await world.token(place, { role: 'TOKEN_ROLE_READ_ONLY' });
    const news = await tell();
    const statusOf = async (credential: string) => (await listOf(credential)).find(({ id }) => id === news)?.status;
    for (const credential of [one.jwt, reading.text]) {
      assert.equal(await statusOf(credential), 'STATUS_DELIVERED');
      assert.equal((await see(credential, news)).status, 200);
      assert.equal(await statusOf(credential), 'STATUS_SEEN');
    }
    assert.equal(await statusOf(other.jwt), 'STATUS_DELIVERED');
  });

  test('have internal or external links', async () => {
    await tell({ link: '/projects/7', linkText: 'The project' });
    await tell({ link: 'https://example.com/x' });
    const [outside, inside] = await listOf(place.admin.jwt);
    assert.deepEqual([inside?.link, inside?.isExternalLink, inside?.linkText], ['/projects/7', false, 'The project']);
    assert.deepEqual([outside?.link, outside?.isExternalLink], ['https://example.com/x', true]);
    await assert.rejects(tell({ link: 'javascript:alert(1)' }), TypeError);
  });

  test('are separate for each deployment', async () => {
    const other = await world.deployment();
    const foreign = await tell({}, other);
    assert.equal((await idsOf(place.admin.jwt)).includes(foreign), false);
    assert.equal((await listOf(other.admin.jwt, other)).length, 1);
  });

  test('are deleted after 90 days, with their receipts', async () => {
    const old = await tell();
    await see(place.admin.jwt, old);
    await world.queryAsOwner("update notification set created_at = now() - interval '91 days' where id = $1", [old]);
    await world.assembly.db.transaction({ role: 'background', isRead: false }, deleteOld);
    assert.equal((await idsOf(place.admin.jwt)).includes(old), false);
    assert.equal(
      (await world.queryAsOwner('select from notification_receipt where notification_id = $1', [old])).length,
      0,
    );
  });
});

describe('marking as seen', () => {
  test('is per account, for all of its sessions, and idempotent', async () => {
    const [one, other] = [await world.member(place), await world.member(place)];
    const id = await tell();
    const statusFor = async (jwt: string) => (await listOf(jwt)).find((item) => item.id === id)?.status;
    const { body } = await see(one.jwt, id);
    assert.deepEqual(
      body.notifications.map(({ id: seen, status }) => [seen, status]),
      [[id, 'STATUS_SEEN']],
    );
    assert.equal((await see(one.jwt, id, id)).status, 200);
    assert.equal(await statusFor((await world.signIn(one)).jwt), 'STATUS_SEEN');
    assert.equal(await statusFor(other.jwt), 'STATUS_DELIVERED');
  });

  test('refuses unknown, foreign and invisible ids in the same way, and marks none', async () => {
    const member = await world.member(place);
    const foreign = await tell({}, await world.deployment());
    const hidden = await tell({ isAdminOnly: true });
    const good = await tell();
    for (const bad of [foreign, hidden, '999999999999']) {
      const { status, problem } = await see(member.jwt, good, bad);
      assert.deepEqual([status, problem.code], [400, 'NOTIFICATION_UNKNOWN']);
      assert.deepEqual(problem.errors, [
        { pointer: '#/notificationIds/1', code: 'UNKNOWN_REFERENCE', detail: `${bad} is not known to you` },
      ]);
    }
    assert.equal((await listOf(member.jwt)).find(({ id }) => id === good)?.status, 'STATUS_DELIVERED');
  });
});
