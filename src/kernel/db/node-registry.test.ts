import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makeLog } from '#kernel/log/log.ts';
import { World } from '#test/support/world/world.ts';
import { NodeRegistry } from './node-registry.ts';

let world: World;
before(async () => {
  world = await World.start();
});
after(() => world.stop());

test('servers on one database count each other, without those that left or timed out', async () => {
  const [one, two] = [1, 2].map(() => new NodeRegistry(world.assembly.db, makeLog('silent')));
  assert.ok(one && two);
  await one.join();
  assert.equal(one.count, 1);
  await two.join();
  assert.equal(two.count, 2);
  await two.leave();
  await one.join();
  assert.equal(one.count, 1);
  await world.queryAsOwner("insert into node (id, seen_at) values ('silent', now() - interval '1 minute')");
  await one.join();
  assert.equal(one.count, 1);
  await one.leave();
});
