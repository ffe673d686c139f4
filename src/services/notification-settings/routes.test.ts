import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { recordRefusedAddress } from '#domain/mailing/mail-addresses.ts';
import { type TestDeployment, World } from '#test/support/world/world.ts';
import * as contract from './contract.ts';

let world: World;
let place: TestDeployment;

before(async () => {
  world = await World.start();
  place = await world.deployment();
});
after(() => world.stop());

const path = () => ({ deploymentId: place.id });

describe('settings for mail', () => {
  test('are those of the caller alone, with defaults', async () => {
    const [ann, bob] = [await world.member(place), await world.member(place, 'ORG_ROLE_READONLY')];
    const [one, other] = [world.as(contract, ann.jwt), world.as(contract, bob.jwt)];
    const { settings } = (await one.getMailSettings({ path: path() })).body;
    assert.deepEqual(
      [settings.findings, settings.approvals, settings.notices, settings.validSecrets, settings.email],
      ['weekly', 'daily', 'now', true, ann.email],
    );
    assert.equal(settings.isMailOn, false);
    const change = { findings: 'daily', timeZone: 'Asia/Kolkata', hour: 7, incidents: false } as const;
    const changed = (await one.updateMailSettings({ path: path(), body: change })).body.settings;
    assert.deepEqual([changed.findings, changed.hour, changed.incidents, changed.notices], ['daily', 7, false, 'now']);
    assert.match(changed.nextDigestAt ?? '', /T01:30:00/);
    assert.equal((await other.getMailSettings({ path: path() })).body.settings.findings, 'weekly');
  });

  test('refuse what is no time zone, hour or rhythm', async () => {
    const admin = world.as(contract, place.admin.jwt);
    for (const body of [{ timeZone: 'Mars/Olympus' }, { hour: 24 }, { weekday: 0 }, { findings: 'hourly' as 'now' }])
      assert.equal((await admin.updateMailSettings({ path: path(), body })).status, 400, JSON.stringify(body));
  });

  test('tell that the address is suspended, and resume it', async () => {
    const ann = await world.member(place);
    const refusal = { deployment: place.id, address: ann.email, reason: '550 no such mailbox' };
    for (const day of [0, 10, 11, 12])
      await world.inDeployment(place, (tx) =>
        recordRefusedAddress(tx, { ...refusal, at: new Date(Date.now() + day * 86_400_000) }),
      );
    const caller = world.as(contract, ann.jwt);
    const { settings } = (await caller.getMailSettings({ path: path() })).body;
    assert.deepEqual([settings.isSuspended, settings.suspendedReason], [true, '550 no such mailbox']);
    const { body } = await caller.updateMailSettings({ path: path(), body: { isSuspended: false } });
    assert.equal(body.settings.isSuspended, false);
  });

  test('of people who are no members are not found', async () => {
    const stranger = await world.deployment();
    assert.equal((await world.as(contract, stranger.admin.jwt).getMailSettings({ path: path() })).status, 404);
  });
});
