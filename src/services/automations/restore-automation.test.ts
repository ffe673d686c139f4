import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import * as store from '#domain/automations/store.ts';
import type { Id } from '#kernel/contract/proto-fields.ts';
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

const client = () => world.as(contract, place.admin.jwt);
const path = () => ({ deploymentId: place.id });
const restore = (id: string) =>
  client().restoreAutomation({ path: { ...path(), deletedAutomationId: id as Id<'DeletedAutomation'> } });
const remove = (id: string) => client().deleteAutomation({ path: { ...path(), automationId: id as Id<'Automation'> } });
const list = async () => (await client().listAutomations({ path: path() })).body.automations;
const age = (id: string, days: number) =>
  world.queryAsOwner("update automation set deleted_at = now() - $2 * interval '1 day' where id = $1", [id, days]);

describe('a deleted automation', () => {
  test('is not listed and cannot be changed or deleted until it is restored unchanged', async () => {
    const id = await makeObject({ world, place }, 'Automation');
    const before = (await list()).find((one) => one.id === id);
    assert.equal((await remove(id)).status, 200);
    assert.ok(!(await list()).some((one) => one.id === id));
    const { body: pages } = await client().listAutomationsV2({ path: path() });
    assert.ok(!pages.automations.some((one) => one.id === id));
    assert.equal((await remove(id)).problem.code, 'NOT_FOUND');
    const { status, body } = await restore(id);
    assert.equal(status, 200);
    const { updatedAt: _, updatedBy: __, ...restored } = body.automation ?? assert.fail();
    const { updatedAt: ___, updatedBy: ____, ...old } = before ?? assert.fail();
    assert.deepEqual(restored, old);
    assert.deepEqual(
      (await list()).find((one) => one.id === id),
      body.automation,
    );
    assert.equal((await restore(id)).problem.code, 'NOT_FOUND');
  });

  test('can be restored for 30 days, and is then removed', async () => {
    const [recent, old] = [
      await makeObject({ world, place }, 'Automation'),
      await makeObject({ world, place }, 'Automation'),
    ];
    for (const id of [recent, old]) await remove(id);
    await age(recent, 29);
    await age(old, 31);
    assert.equal((await restore(old)).problem.code, 'NOT_FOUND');
    await world.assembly.db.transaction({ role: 'background', isRead: false }, store.deleteExpired);
    const rows = await world.queryAsOwner<{ id: string }>('select id from automation where id = any($1)', [
      [recent, old],
    ]);
    assert.deepEqual(
      rows.map(({ id }) => id),
      [recent],
    );
    assert.equal((await restore(recent)).status, 200);
  });

  test('is not restored beyond the quota, and only the last deleted ones are kept', async () => {
    const where = await world.deployment();
    const id = await makeObject({ world, place: where }, 'Automation');
    const admin = world.as(contract, where.admin.jwt);
    await admin.deleteAutomation({ path: { deploymentId: where.id, automationId: id as Id<'Automation'> } });
    const columns = `name, description, mode, trigger_source, filters, actions, last_action_id, created_by,
      updated_by`;
    const copy = (count: number, deletedAt: string) =>
      world.queryAsOwner(
        `insert into automation (deployment_id, slug, deleted_at, ${columns})
         select deployment_id, ${count} || '-copy-' || number, ${deletedAt}, ${columns}
         from automation, generate_series(1, ${count}) as number where id = $1`,
        [id],
      );
    await copy(contract.MAX_AUTOMATIONS, 'null');
    const { problem } = await admin.restoreAutomation({
      path: { deploymentId: where.id, deletedAutomationId: id as Id<'DeletedAutomation'> },
    });
    assert.equal(problem.code, 'AUTOMATION_QUOTA');
    await copy(600, "now() - interval '1 day'");
    const [live] = await world.queryAsOwner<{ id: string }>(
      'select max(id) as id from automation where deployment_id = $1 and deleted_at is null',
      [where.id],
    );
    await admin.deleteAutomation({ path: { deploymentId: where.id, automationId: live?.id as Id<'Automation'> } });
    const [row] = await world.queryAsOwner<{ count: string }>(
      'select count(*) from automation where deployment_id = $1 and deleted_at is not null',
      [where.id],
    );
    assert.equal(row?.count, '500');
  });
});
