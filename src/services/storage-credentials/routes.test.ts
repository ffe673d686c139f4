import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { automationOf } from '#test/support/factories/automations.ts';
import { type TestDeployment, World } from '#test/support/world/world.ts';
import * as contract from './contract.ts';

let world: World;
let place: TestDeployment;

before(async () => {
  world = await World.start();
  place = await world.deployment();
});
after(() => world.stop());

const body = { name: 'Archive', region: 'eu-central-1', accessKeyId: 'AKIATEST', secretAccessKey: 'never-shown' };

test('a credential is listed without its secret, and pauses the automations that need it when it goes', async () => {
  const path = { deploymentId: place.id };
  const admin = world.as(contract, place.admin.jwt);
  const { credential } = (await admin.createStorageCredential({ path, body })).body;
  assert.deepEqual([credential.slug, credential.endpoint], ['archive', 'https://s3.eu-central-1.amazonaws.com']);
  const refused = { ...body, endpoint: 'http://169.254.169.254/' };
  assert.equal((await admin.createStorageCredential({ path, body: refused })).problem.code, 'STORAGE_URL_REFUSED');
  const listed = await admin.listStorageCredentials({ path });
  assert.equal(listed.body.credentials.length, 1);
  const stored = await world.queryAsOwner<{ text: string }>(
    `select row_to_json(one)::text as text from storage_credential as one where deployment_id = $1`,
    [place.id],
  );
  assert.ok(![JSON.stringify(listed.body), stored[0]?.text].some((text) => text?.includes('never-shown')));
  const actions = [{ type: 'ACTION_TYPE_S3' as const, config: { bucket: 'b', credential_slug: 'archive' } }];
  const automation = await automationOf({ world, place }, { actions });
  const gone = await admin.deleteStorageCredential({ path: { ...path, storageCredentialId: credential.id } });
  assert.deepEqual(
    gone.body.pausedAutomations.map(({ id }) => id),
    [automation],
  );
});
