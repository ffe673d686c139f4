import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { demoLoad } from '#domain/demo/jobs.ts';
import * as projects from '#services/projects/contract.ts';
import { type TestDeployment, type TestUser, World } from '#test/support/world/world.ts';
import { loadDemo } from '../../demo/load.ts';
import { offerDemo } from '../../demo/load-at-start.ts';
import * as contract from './contract.ts';

let world: World;
let place: TestDeployment;
let admin: TestUser;

before(async () => {
  world = await World.start();
  place = await world.deployment();
  ({ admin } = place);
});
after(() => world.stop());

const api = () => world.as(contract, admin.jwt);

/** Loads that many steps. */
async function loadSteps(deployment: string, count: number): Promise<void> {
  const { db, services } = world.assembly;
  const stop = new AbortController();
  const onProgress = (done: number) => (done === count ? stop.abort() : undefined);
  await assert.rejects(loadDemo({ db, services, deployment, signal: stop.signal, onProgress }));
}

/** Tables that still have rows of a deployment, except those that the audit trail and the server keep. */
async function leftOf(deployment: string): Promise<string[]> {
  const tables = await world.queryAsOwner<{ name: string }>(`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'deployment_id' and table_name !~ '^(audit_|idempotency$|job$)'`);
  const left: string[] = [];
  for (const { name } of tables) {
    const rows = await world.queryAsOwner(`select from ${name} where deployment_id = $1 limit 1`, [deployment]);
    if (rows.length > 0) left.push(name);
  }
  return left;
}

describe('a demo', () => {
  test('is created once per account, loads step by step, and is deleted as a whole', async () => {
    const { status, body: made } = await api().createDemo({});
    assert.equal(status, 202);
    assert.deepEqual([made.slug, made.state], ['demo', 'LOADING']);
    const { body: again } = await api().createDemo({});
    assert.deepEqual(again, made);
    const jobs = await world.queryAsOwner(`select from job where kind = $1 and payload->>'deployment' = $2`, [
      demoLoad.kind,
      made.deploymentId,
    ]);
    assert.equal(jobs.length, 1);

    const path = { deploymentId: made.deploymentId };
    assert.deepEqual((await api().getDemo({ path })).body, {
      deploymentId: made.deploymentId,
      slug: 'demo',
      isDemo: true,
      state: 'LOADING',
      progress: 0,
      findings: '0',
    });
    await loadSteps(made.deploymentId, 5);
    const { body: later } = await api().getDemo({ path });
    assert.ok(later.progress > 0 && later.progress < 100 && Number(later.findings) > 100);

    const people = `select from account where email like '%@demo.example.com'`;
    assert.equal((await world.queryAsOwner(people)).length, 6);
    assert.equal((await api().deleteDemo({ path })).status, 200);
    assert.deepEqual(await leftOf(made.deploymentId), []);
    assert.equal((await world.queryAsOwner(people)).length, 0);
    assert.equal((await api().getDemo({ path })).status, 404);
    const { db, services } = world.assembly;
    assert.equal(await loadDemo({ db, services, deployment: made.deploymentId }), undefined);
  });

  test('belongs to its creator, and nobody else sees it', async () => {
    const { body: mine } = await api().createDemo({});
    const other = await world.deployment();
    const { body: theirs } = await world.as(contract, other.admin.jwt).createDemo({});
    assert.notEqual(theirs.deploymentId, mine.deploymentId);
    assert.deepEqual([mine.slug, theirs.slug], ['demo', 'demo-2']);
    assert.equal((await api().getDemo({ path: { deploymentId: theirs.deploymentId } })).status, 404);
    assert.equal((await api().deleteDemo({ path: { deploymentId: theirs.deploymentId } })).status, 404);
  });

  test('operations refuse a deployment that is not a demo', async () => {
    const path = { deploymentId: place.id };
    assert.equal((await api().getDemo({ path })).problem.code, 'NOT_A_DEMO');
    const refused = await api().deleteDemo({ path });
    assert.deepEqual([refused.status, refused.problem.code], [409, 'NOT_A_DEMO']);
    assert.equal((await world.as(projects, admin.jwt).listProjects({ path, body: {} })).status, 200);
  });

  test('cannot be made from another deployment by the application role', async () => {
    await assert.rejects(
      world.inDeployment(
        place,
        (tx) => tx.run`insert into demo (deployment_id, size, seed, as_of)
        values (${place.id}, 'small', 'x', now())`,
      ),
      /permission denied/,
    );
    const removed = await world.inDeployment(place, (tx) => tx.run`delete from deployment where id = ${place.id}`);
    assert.equal(removed, 0);
  });
});

describe('a start with PARAPET_DEMO=1', () => {
  test('creates a demo once there is an administrator, and never a second one', async () => {
    const empty = await World.start();
    try {
      const offer = () =>
        empty.assembly.db.transaction({ role: 'auth', isRead: false }, (tx) => offerDemo(tx, empty.keys, new Date()));
      assert.equal(await offer(), 'nobody');
      const { admin: first } = await empty.deployment();
      const { admin: second } = await empty.deployment();
      const { admin: stranger } = await empty.deployment();
      assert.equal(await offer(), 'nobody', 'administrators of deployments are not asked');
      for (const administrator of [first, second]) await empty.promote(administrator);
      assert.equal(await offer(), 'ordered');
      assert.equal(await offer(), 'before');
      const { body } = await empty.as(contract, first.jwt).createDemo({});
      const path = { deploymentId: body.deploymentId };
      assert.equal((await empty.as(contract, second.jwt).getDemo({ path })).status, 200);
      assert.equal((await empty.as(contract, stranger.jwt).getDemo({ path })).status, 404);
      assert.equal((await empty.as(contract, first.jwt).deleteDemo({ path })).status, 200);
      assert.equal(await offer(), 'before');
    } finally {
      await empty.stop();
    }
  });
});
