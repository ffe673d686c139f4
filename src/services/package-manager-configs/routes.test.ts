import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openSecret } from '#domain/deployments/secrets.ts';
import { reveal } from '#kernel/crypto/secret.ts';
import { type TestDeployment, World } from '#test/support/world/world.ts';
import * as contract from './contract.ts';

let world: World;
let place: TestDeployment;

before(async () => {
  world = await World.start();
  place = await world.deployment();
});
after(() => world.stop());

const api = (jwt = place.admin.jwt) => world.as(contract, jwt);
const SECRET = 'npm_canary-5f1e';

test('a package manager is stored with a sealed credential that nobody sees', async () => {
  const path = { deploymentId: place.id };
  const config = { name: ' Private ', url: 'https://npm.example.com/', requiresAuth: true, ecosystem: 'npm' } as const;
  const made = await api().postPackageManagerAuthCredentials({
    path,
    body: { packageManagerConfigForInsert: { config, npm: { token: SECRET } } },
  });
  const { id, name, additionalConfig, registryType } = made.body.packageManagerConfig;
  assert.deepEqual([name, additionalConfig, registryType], ['Private', {}, 'REGISTRY_TYPE_PACKAGE_MANAGER_AUTH']);
  const { body: listed } = await api().getPackageManagerAuthConfigs({ path });
  assert.deepEqual(listed.packageManagerConfigsWithCredentials, [
    {
      config: made.body.packageManagerConfig,
      credentials: { nonce: '', ciphertext: '', tag: '', keyVersion: '1' },
    },
  ]);
  const [row] = await world.queryAsOwner<{ sealed: string }>(
    'select sealed_credential as sealed from package_manager_config where deployment_id = $1 and id = $2',
    [place.id, String(id)],
  );
  const location = { deployment: place.id, table: 'package_manager_config', column: 'sealed_credential' };
  const opened = await world.inDeployment(place, (tx) =>
    openSecret(tx, world.keys, { ...location, row: String(id) }, row?.sealed ?? ''),
  );
  assert.deepEqual(JSON.parse(reveal(opened)), { kind: 'npm', token: SECRET });
  const [{ count } = { count: -1 }] = await world.queryAsOwner<{ count: number }>(
    'select count(*)::integer as count from audit_record where audit_record::text like $1',
    [`%${SECRET}%`],
  );
  assert.equal(count, 0);

  const change = (url: string, more: object = {}) =>
    api().updatePackageManagerAuthCredentials({
      path: { ...path, packageManagerConfigId: id },
      body: { packageManagerConfigForInsert: { config: { url }, ...more } },
    });
  const moved = await change('https://evil.example.com/');
  assert.deepEqual([moved.status, moved.problem.errors[0]?.code], [400, 'CREDENTIAL_REQUIRED']);
  const open = await change('http://npm.example.com/', { npm: { token: SECRET } });
  assert.equal(open.problem.errors[0]?.code, 'URL_REFUSED');
  assert.equal((await change('https://other.example.com/', { npm: { token: 'new' } })).status, 200);

  const removed = await api().deletePackageManagerAuthConfigs({ path: { ...path, packageManagerConfigId: id } });
  assert.deepEqual(removed.body, { packageManagerConfigId: id });
  const left = await api().getPackageManagerAuthConfigs({ path });
  assert.deepEqual(left.body.packageManagerConfigsWithCredentials, []);
});

test('only administrators see and change package managers', async () => {
  const member = await world.member(place);
  const { problem } = await api(member.jwt).getPackageManagerAuthConfigs({ path: { deploymentId: place.id } });
  assert.equal(problem.code, 'PERMISSION_DENIED');
});
