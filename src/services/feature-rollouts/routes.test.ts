import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type TestDeployment, World } from '#test/support/world/world.ts';
import * as contract from './contract.ts';

let world: World;
let place: TestDeployment;

before(async () => {
  world = await World.start();
  place = await world.deployment('Acme');
  const other = await world.deployment();
  await world.queryAsOwner(
    `insert into feature_flag (deployment_id, name, expires_at, rolled_out_at)
     values ($1, 'lasting', null, '2026-01-02T03:04:05.678Z'),
            ($1, 'over', now() - interval '1 day', '2026-01-01T00:00:00Z'), ($2, 'theirs', null, now())`,
    [place.id, other.id],
  );
});
after(() => world.stop());

test('flags are listed with the time of their rollout, and expired flags are off', async () => {
  for (const credential of [place.admin.jwt, (await world.token(place)).text])
    assert.deepEqual((await world.as(contract, credential).listAvailableFeatureRollouts({})).body, {
      features: [
        { id: 'lasting', name: 'lasting', rolled_out: true, rolled_out_at: '2026-01-02T03:04:05.678Z' },
        { id: 'over', name: 'over', rolled_out: false, rolled_out_at: '2026-01-01T00:00:00.000Z' },
      ],
    });
});

test('a user without deployments has no features', async () => {
  const person = await world.signIn(await world.account());
  assert.deepEqual((await world.as(contract, person.jwt).listAvailableFeatureRollouts({})).body, { features: [] });
});
