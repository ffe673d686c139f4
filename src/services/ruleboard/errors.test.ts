import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import * as migration from '#services/policies-v2/contract.ts';
import { makeExampleCall } from '#test/support/factories/example-objects.ts';
import { callChecked, statusAndCode } from '#test/support/http/checked-call.ts';
import { type ListedOperation, operations } from '#test/support/http/operations.ts';
import { type TestDeployment, World } from '#test/support/world/world.ts';

/** Seed 7.1 and ERR-04: the errors of a migrated deployment. */

let world: World;
let place: TestDeployment;
let token: string;

before(async () => {
  world = await World.start();
  place = await world.deployment();
  token = (await world.token(place)).text;
});
after(() => world.stop());

const migrate = () => world.as(migration, place.admin.jwt).migrateDeployment({ path: { deploymentId: place.id } });

/** Calls the example of an operation in the migrated deployment with this credential. */
async function answerTo(listed: ListedOperation, credential: string) {
  const example = await makeExampleCall({ world, place }, listed);
  await migrate();
  return callChecked(world.baseUrl, listed.bound, { ...example, token: credential });
}

const of = (group: string) => operations.filter(({ bound }) => bound.group === group);

describe('when a deployment has been migrated to the Unified Policies model', () => {
  for (const listed of of('PoliciesService'))
    test(`${listed.id} returns 410 with the code DEPLOYMENT_MIGRATED to everybody (ERR-04)`, async () => {
      for (const credential of [token, place.admin.jwt])
        assert.equal(statusAndCode(await answerTo(listed, credential)), '410 DEPLOYMENT_MIGRATED');
    });

  for (const listed of of('RuleboardService')) {
    test(`${listed.id} does the same for API-token callers, after tenancy and role (ERR-04)`, async () => {
      const answer = await answerTo(listed, token);
      assert.equal(statusAndCode(answer), '410 DEPLOYMENT_MIGRATED');
      const successor = `/api/policies/v2/deployments/${place.id}/detection-policy`;
      assert.deepEqual(answer.json['links'], { successor });
    });

    test(`${listed.id} still works for signed-in users`, async () => {
      assert.equal((await answerTo(listed, place.admin.jwt)).status, listed.bound.operation.status);
    });
  }

  test('non-members and lower roles do not learn of it (ERR-04)', async () => {
    const stranger = await world.deployment();
    const foreign = (await world.token(stranger)).text;
    const reader = (await world.token(place, { role: 'TOKEN_ROLE_READ_ONLY' })).text;
    for (const listed of [...of('PoliciesService'), ...of('RuleboardService')]) {
      for (const credential of [foreign, stranger.admin.jwt])
        assert.equal(statusAndCode(await answerTo(listed, credential)), '404 NOT_FOUND', listed.id);
      const expected = listed.bound.operation.isRead ? '410 DEPLOYMENT_MIGRATED' : '403 PERMISSION_DENIED';
      assert.equal(statusAndCode(await answerTo(listed, reader)), expected, listed.id);
    }
  });

  test('other deployments are unaffected', async () => {
    const other = await world.deployment();
    await migrate();
    for (const listed of of('PoliciesService')) {
      const example = await makeExampleCall({ world, place: other }, listed);
      const credential = (await world.token(other)).text;
      assert.equal((await callChecked(world.baseUrl, listed.bound, { ...example, token: credential })).status, 200);
    }
  });
});
