import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { World } from '#test/support/world/world.ts';
import { runAdminAction } from './admin-command.ts';

let world: World;
before(async () => {
  world = await World.start();
});
after(() => world.stop());

const run = (action: string, email = '') => runAdminAction({ db: world.assembly.db, keys: world.keys }, action, email);

test('administrators of the server are appointed and listed, and the last one stays', async () => {
  const [one, other] = [await world.account(), await world.account()];
  await run('grant', one.email);
  await assert.rejects(run('revoke', one.email), /only administrator of the server/);
  await run('grant', other.email.toUpperCase());
  assert.deepEqual(
    (await run('list')).map((line) => line.split(' ')[0]),
    [one.email, other.email],
  );
  await run('revoke', one.email);
  assert.equal((await run('list')).length, 1);
  await assert.rejects(run('grant', 'nobody@example.com'), /no account/);
  const rows = await world.queryAsOwner("select from audit_record where operation like '%ServerAdministrator'");
  assert.equal(rows.length, 3);
});
