import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import * as ruleboards from '#services/ruleboard/contract.ts';
import { type TestDeployment, World } from '#test/support/world/world.ts';
import * as contract from './contract.ts';

let world: World;
let place: TestDeployment;

before(async () => {
  world = await World.start();
  place = await world.deployment('Acme');
});
after(() => world.stop());

const migrate = (credential: string, deploymentId = place.id) =>
  world.as(contract, credential).migrateDeployment({ path: { deploymentId } });

describe('migrate a deployment to Unified Policies', () => {
  test('is for signed-in administrators', async () => {
    const member = await migrate((await world.member(place)).jwt);
    assert.deepEqual([member.status, member.problem.code], [403, 'PERMISSION_DENIED']);
    const program = await migrate((await world.token(place)).text);
    assert.deepEqual([program.status, program.problem.code], [403, 'USER_JWT_REQUIRED']);
    assert.equal(
      (await world.queryAsOwner('select from policy_migration where deployment_id = $1', [place.id])).length,
      0,
    );
  });

  test('happens once: later and concurrent calls return the same time, also by slug', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => migrate(place.admin.jwt)));
    const again = await migrate(place.admin.jwt, place.slug);
    for (const { status, body } of answers) assert.deepEqual([status, body], [200, again.body]);
    assert.match(again.body.migratedAt, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  });

  test('is irreversible: the application role can neither change nor delete it', async () => {
    for (const attempt of [
      () => world.inDeployment(place, (tx) => tx.run`delete from policy_migration`),
      () => world.inDeployment(place, (tx) => tx.run`update policy_migration set migrated_at = now()`),
    ])
      await assert.rejects(attempt, { code: '42501' });
  });

  test('keeps the boards for signed-in users', async () => {
    await migrate(place.admin.jwt);
    const { body } = await world.as(ruleboards, place.admin.jwt).listRuleboards({ path: { deploymentId: place.id } });
    assert.equal(body.ruleboards[0]?.slug, 'global-policy');
  });
});
