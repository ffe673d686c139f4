import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { World } from '#test/support/world/world.ts';
import * as accounts from './store.ts';

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
    world.inDeployment(place, (tx) => accounts.changeRole(tx, who, 'ORG_ROLE_MEMBER')),
    /last administrator/,
  );
  await assert.rejects(
    world.inDeployment(place, (tx) => accounts.removeMembership(tx, who)),
    /last administrator/,
  );
  assert.deepEqual(await rolesIn(place.id), [{ role: 'ORG_ROLE_ADMIN' }]);
});

test('of two administrators who demote each other concurrently, one remains (AZN-09)', async () => {
  for (let round = 0; round < 10; round++) {
    const place = await world.deployment();
    const second = await world.member(place, 'ORG_ROLE_ADMIN');
    const ids = [place.admin.id, second.id];
    const results = await Promise.allSettled(
      ids.map((account) =>
        world.inDeployment(place, (tx) =>
          accounts.changeRole(tx, { deployment: place.id, account }, 'ORG_ROLE_MEMBER'),
        ),
      ),
    );
    assert.deepEqual(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
    assert.equal((await rolesIn(place.id)).filter(({ role }) => role === 'ORG_ROLE_ADMIN').length, 1);
  }
});

test('e-mail addresses that differ only in case or width belong to one account', async () => {
  const { email } = await world.account('Zoë');
  const found = await world.assembly.db.transaction({ role: 'auth', isRead: true }, (tx) =>
    accounts.findByEmail(tx, ` ${email.normalize('NFD').toUpperCase()} `),
  );
  assert.equal(found?.email, email);
});
