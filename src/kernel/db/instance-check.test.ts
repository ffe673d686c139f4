import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { World } from '#test/support/world/world.ts';
import { InstanceCheck } from './instance-check.ts';

let world: World;
before(async () => {
  world = await World.start();
});
after(() => world.stop());

const folder = () => mkdtemp(join(tmpdir(), 'parapet-instance-'));

test('a database is recognized as a copy in another cluster or folder, until it is released (DAT-05)', async () => {
  const { db } = world.assembly;
  const original = new InstanceCheck({ db, folder: await folder() });
  assert.deepEqual([await original.isCopy(), await original.isCopy()], [false, false]);
  const copied = new InstanceCheck({ db, folder: await folder() });
  assert.equal(await copied.isCopy(), true);
  assert.equal(await original.isCopy(), false, 'looking at a copy changes nothing');
  assert.equal(await copied.release(), true);
  assert.deepEqual([await copied.isCopy(), await original.isCopy(), await copied.release()], [false, true, false]);
  await world.queryAsOwner(`update server_setting set value = '1/2/' where key = 'instance'`);
  assert.equal(await new InstanceCheck({ db, folder: undefined }).isCopy(), true);
});
