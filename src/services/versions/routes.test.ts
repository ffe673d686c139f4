import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makeScan } from '#test/support/factories/scans.ts';
import { type TestDeployment, World } from '#test/support/world/world.ts';
import * as contract from './contract.ts';

let world: World;
let place: TestDeployment;
const projects: string[] = [];

before(async () => {
  world = await World.start();
  place = await world.deployment('Acme');
  for (const name of ['b/second', 'a/first', 'c/without']) projects.push(await world.project(place, name));
  const [second = '', first = ''] = projects;
  const older = await makeScan({ world, place }, first);
  await world.queryAsOwner(
    "update scan set started_at = now() - interval '1 day', scanner_version = '1.50.0' where id = $1",
    [older],
  );
  const secrets = await makeScan({ world, place }, first);
  await world.queryAsOwner("update scan set products = '{secrets}', environment = 'jenkins' where id = $1", [secrets]);
  await makeScan({ world, place }, second);
});
after(() => world.stop());

const infoOf = async (product: 'sast' | 'sca' | 'secrets' | 'ai_sast', credential = place.admin.jwt) =>
  (await world.as(contract, credential).getProjectVersionInfo({ path: { deploymentId: place.id, product } })).body
    .projectInfo;

test('each project is listed with the scanner of its last scan for the product', async () => {
  const [second, first] = projects;
  assert.deepEqual(await infoOf('sast'), [
    {
      repositoryName: 'a/first',
      repositoryId: first,
      cliVersion: '1.50.0',
      scanEnvironment: 'SCAN_ENVIRONMENT_GITHUB_ACTIONS',
    },
    {
      repositoryName: 'b/second',
      repositoryId: second,
      cliVersion: '1.99.0',
      scanEnvironment: 'SCAN_ENVIRONMENT_GITHUB_ACTIONS',
    },
  ]);
  assert.deepEqual(
    (await infoOf('secrets')).map(({ repositoryName, scanEnvironment }) => [repositoryName, scanEnvironment]),
    [['a/first', 'SCAN_ENVIRONMENT_JENKINS']],
  );
  assert.deepEqual(await infoOf('ai_sast'), []);
});

test('team-scoped members see only projects of their teams (AZN-08)', async () => {
  assert.deepEqual(await infoOf('sast', (await world.memberWithoutTeam(place)).jwt), []);
});

test('an unknown product is refused', async () => {
  const path = { deploymentId: place.id, product: 'coffee' as 'sast' };
  const { status, problem } = await world.as(contract, place.admin.jwt).getProjectVersionInfo({ path });
  assert.deepEqual([status, problem.code], [400, 'INVALID_PATH']);
});
