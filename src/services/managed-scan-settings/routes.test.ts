import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { makeProject } from '#test/support/factories/projects.ts';
import { type TestDeployment, World } from '#test/support/world/world.ts';
import * as contract from './contract.ts';
import * as projectContract from './project-contract.ts';

let world: World;
let place: TestDeployment;

before(async () => {
  world = await World.start();
  place = await world.deployment();
});
after(() => world.stop());

const as = (jwt = place.admin.jwt) => world.as(contract, jwt);
const path = () => ({ deploymentId: place.id });
const current = async () => (await as().getManagedScanSettings({ path: path() })).body.managedScanSettings;

describe('the settings of managed scans', () => {
  test('are the defaults until they are created, once, and again after they were deleted', async () => {
    const defaults = { id: 0, deploymentId: Number(place.id), failOpen: true, failOpenTimeout: '600s' };
    assert.deepEqual(await current(), defaults);
    const made = await as().createManagedScanSettings({
      path: path(),
      body: { managedScanSettings: { failOpenTimeout: '1200s' } },
    });
    const { id } = made.body.managedScanSettings;
    assert.deepEqual(await current(), { ...defaults, id, failOpenTimeout: '1200s' });
    const twice = await as().createManagedScanSettings({ path: path(), body: { managedScanSettings: {} } });
    assert.deepEqual([twice.status, twice.problem.code], [409, 'MANAGED_SCAN_SETTINGS_EXIST']);
    const settingsPath = { ...path(), managedScanSettingsId: id };
    await as().updateManagedScanSettings({ path: settingsPath, body: { managedScanSettings: { failOpen: false } } });
    assert.deepEqual(await current(), { ...defaults, id, failOpen: false, failOpenTimeout: '1200s' });
    assert.deepEqual((await as().deleteManagedScanSettings({ path: settingsPath })).body, {});
    assert.deepEqual(await current(), defaults);
    assert.equal((await as().deleteManagedScanSettings({ path: settingsPath })).status, 404);
  });

  test('are created once, also concurrently', async () => {
    const where = await world.deployment();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        as(where.admin.jwt).createManagedScanSettings({
          path: { deploymentId: where.id },
          body: { managedScanSettings: {} },
        }),
      ),
    );
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    assert.ok(answers.every(({ status }) => status === 200 || status === 409));
  });

  test('wait one minute to one hour', async () => {
    const where = await world.deployment();
    const codeOf = async (failOpenTimeout: string) =>
      (
        await as(where.admin.jwt).createManagedScanSettings({
          path: { deploymentId: where.id },
          body: { managedScanSettings: { failOpenTimeout } },
        })
      ).problem.code;
    for (const text of ['59s', '3601s', '10m', '-60s', '60.5s', '1e3s'])
      assert.equal(await codeOf(text), 'VALIDATION_FAILED', text);
    assert.equal(await codeOf('3600s'), undefined);
  });
});

describe('the managed scans of projects', () => {
  test('are empty for a project without them, and hidden for one that the caller may not see', async () => {
    const [plain, managed] = [await makeProject({ world, place }), await makeProject({ world, place })];
    await world.queryAsOwner('update project set has_managed_full_scan = true where id = $1', [managed]);
    const member = await world.member(place);
    const get = (jwt: string, projectId: string) =>
      world.as(projectContract, jwt).getProjectManagedScanSettings({ path: { deploymentId: place.id, projectId } });
    assert.deepEqual((await get(place.admin.jwt, plain)).body.project_managed_scan_settings, {});
    const settings = { diff_scan: { enabled: false }, full_scan: { enabled: true } };
    assert.deepEqual((await get(place.admin.jwt, managed)).body.project_managed_scan_settings, settings);
    const listFor = async (jwt: string) =>
      (
        await world.as(projectContract, jwt).bulkGetProjectManagedScanSettings({
          path: { deploymentId: place.id },
          body: { projectIds: [managed, plain, managed, '999999999999'] },
        })
      ).body.settingsByProject;
    assert.deepEqual(await listFor(place.admin.jwt), [
      { projectId: plain, project_managed_scan_settings: {} },
      { projectId: managed, project_managed_scan_settings: settings },
    ]);
    const other = await world.deployment();
    assert.equal((await get(other.admin.jwt, managed)).status, 404);
    await world.queryAsOwner('delete from team_project where project_id = any($1)', [[plain, managed]]);
    assert.deepEqual([(await get(member.jwt, managed)).status, await listFor(member.jwt)], [404, []]);
  });
});
