import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { makeObject } from '#test/support/factories/example-objects.ts';
import { type TestDeployment, World } from '#test/support/world/world.ts';
import * as contract from './contract.ts';

let world: World;
let place: TestDeployment;

before(async () => {
  world = await World.start();
  place = await world.deployment();
});
after(() => world.stop());

const automation = (where: TestDeployment = place) => makeObject({ world, place: where }, 'Automation');
const remove = (automationId: string, headers: Record<string, string> = {}, token = place.admin.jwt) =>
  world.as(contract, token).deleteAutomation({ path: { deploymentId: place.id, automationId }, headers });
const listed = async (where: TestDeployment = place) => {
  const { body } = await world.as(contract, where.admin.jwt).listAutomations({ path: { deploymentId: where.id } });
  return body.automations.map(({ id }) => id);
};

describe('delete automation (seed 4.12)', () => {
  test('the response is 200 with an empty JSON object, and the automation is deleted', async () => {
    const [one, other] = [await automation(), await automation()];
    const { status, body } = await remove(one);
    assert.deepEqual([status, body], [200, {}]);
    const left = await listed();
    assert.deepEqual([left.includes(one), left.includes(other)], [false, true]);
  });

  test('the same call again answers 404 (CON-05)', async () => {
    const id = await automation();
    assert.equal((await remove(id)).status, 200);
    for (let turn = 0; turn < 2; turn++) {
      const again = await remove(id);
      assert.deepEqual([again.status, again.problem.code], [404, 'NOT_FOUND']);
    }
  });

  test('the same Idempotency-Key gets the same answer (CON-05)', async () => {
    const id = await automation();
    const key = { 'idempotency-key': 'delete-once' };
    const [first, again] = [await remove(id, key), await remove(id, key)];
    assert.deepEqual([first.status, first.body], [200, {}]);
    assert.deepEqual([again.status, again.body], [200, {}]);
    assert.equal(again.headers.get('idempotency-replayed'), 'true');
  });

  test('of ten concurrent deletions one succeeds and the others get 404 (CON-05)', async () => {
    const id = await automation();
    const statuses = (await Promise.all(Array.from({ length: 10 }, () => remove(id)))).map(({ status }) => status);
    assert.deepEqual(statuses.sort(), [200, ...new Array(9).fill(404)]);
  });

  test('the automation of another deployment is not found and not deleted (TEN-02)', async () => {
    const other = await world.deployment();
    const theirs = await automation(other);
    assert.equal((await remove(theirs)).status, 404);
    assert.deepEqual(await listed(other), [theirs]);
  });

  test('an API token is accepted as well as the token of a user, a member is not', async () => {
    const { text } = await world.token(place);
    assert.equal((await remove(await automation(), {}, text)).status, 200);
    const member = await world.member(place);
    const id = await automation();
    assert.equal((await remove(id, {}, member.jwt)).status, 403);
    assert.ok((await listed()).includes(id));
  });

  test('the audit trail records what a deleted automation was (AUD-01)', async () => {
    const id = await automation();
    await remove(id);
    const rows = await world.queryAsOwner<{ actor: string; before: string; after: string | null }>(
      'select actor, before_digest as before, after_digest as after from audit_record where object = $1',
      [`automation/${id}`],
    );
    assert.equal(rows.length, 1);
    assert.equal(rows[0]?.actor, place.admin.id);
    assert.ok(rows[0]?.before);
    assert.equal(rows[0]?.after, null);
  });
});
