import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makeProject } from '#test/support/factories/projects.ts';
import { type TestDeployment, World } from '#test/support/world/world.ts';
import * as contract from './contract.ts';

let world: World;
let place: TestDeployment;

before(async () => {
  world = await World.start();
  place = await world.deployment();
});
after(() => world.stop());

const config = {
  ...{ configVersion: 1, miseTools: { java: '21' }, envVars: {}, systemPackages: ['libxml2'] },
  ...{ commands: ['make bom'], outputPath: 'bom.json', resolutionTimeoutS: 60 },
  outputFormat: 'SCA_RESOLUTION_OUTPUT_FORMAT_CYCLONEDX_JSON',
} as const;

test('the configurations of a project are replaced as a whole', async () => {
  const path = { deploymentId: place.id, projectId: await makeProject({ world, place }) };
  const api = world.as(contract, place.admin.jwt);
  const set = (perSubproject: Record<string, unknown>) =>
    api.setScaResolutionConfigs({ path, body: { resolutionConfigs: { perSubproject: perSubproject as never } } });
  const get = async () => (await api.getScaResolutionConfigs({ path })).body.resolutionConfigs.perSubproject;
  assert.deepEqual(await get(), {});
  await set({ '': config, 'services/api': config });
  assert.deepEqual(await get(), { '': config, 'services/api': config });
  await set({ web: { ...config, configVersion: 2 } });
  assert.deepEqual(Object.keys(await get()), ['web']);
  for (const wrong of [
    { '../x': config },
    { '/etc': config },
    { a: { ...config, outputPath: 'a/../../b' } },
    { a: { ...config, resolutionTimeoutS: 1801 } },
    { a: { ...config, envVars: { 'A=B': 'c' } } },
    { a: { ...config, systemPackages: ['-o=x'] } },
  ])
    assert.equal((await set(wrong)).problem.code, 'VALIDATION_FAILED', JSON.stringify(wrong));
  assert.deepEqual(Object.keys(await get()), ['web']);
  await world.queryAsOwner('delete from project where id = $1', [path.projectId]);
  assert.equal((await api.getScaResolutionConfigs({ path })).status, 404);
});
