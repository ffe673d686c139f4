import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { World } from '#test/support/world/world.ts';
import * as people from './store.ts';

let world: World;
before(async () => {
  world = await World.start();
});
after(() => world.stop());

const rolesIn = (deployment: string) =>
  world.queryAsOwner<{ role: string }>('select role from membership where deployment_id = $1 order by role', [
    deployment,
  ]);

test('the last administrator can be neither demoted nor removed (AZN-09)', async () => {
  const place = await world.deployment();
  const who = { deployment: place.id, account: place.admin.id };
  await assert.rejects(
    world.inDeployment(place, (tx) => people.changeRole(tx, who, 'ORG_ROLE_MEMBER')),
    /last administrator/,
  );
  await assert.rejects(
    world.inDeployment(place, (tx) => people.removeMembership(tx, who)),
    /last administrator/,
  );
  assert.deepEqual(await rolesIn(place.id), [{ role: 'ORG_ROLE_ADMIN' }]);
});

test('two administrators who demote each other at the same moment leave one (AZN-09)', async () => {
  for (let round = 0; round < 10; round++) {
    const place = await world.deployment();
    const second = await world.member(place, 'ORG_ROLE_ADMIN');
    const accounts = [place.admin.id, second.id];
    const results = await Promise.allSettled(
      accounts.map((account) =>
        world.inDeployment(place, (tx) => people.changeRole(tx, { deployment: place.id, account }, 'ORG_ROLE_MEMBER')),
      ),
    );
    assert.deepEqual(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
    assert.equal((await rolesIn(place.id)).filter(({ role }) => role === 'ORG_ROLE_ADMIN').length, 1);
  }
});

test('addresses that people hold to be the same are one account', async () => {
  const { email } = await world.account('Zoë');
  const found = await world.assembly.db.transaction({ role: 'auth', isRead: true }, (tx) =>
    people.findByEmail(tx, ` ${email.normalize('NFD').toUpperCase()} `),
  );
  assert.equal(found?.email, email);
});
