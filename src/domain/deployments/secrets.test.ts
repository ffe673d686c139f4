import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createDataKey } from '#kernel/crypto/keys/envelope.ts';
import { reveal, Secret } from '#kernel/crypto/secret.ts';
import { type TestDeployment, World } from '#test/support/world/world.ts';
import { openSecret, type SecretLocation, sealSecret } from './secrets.ts';

let world: World;
let place: TestDeployment;
before(async () => {
  world = await World.start();
  place = await world.deployment();
});
after(() => world.stop());

const at = (changed: Partial<SecretLocation> = {}): SecretLocation => ({
  deployment: place.id,
  table: 'partner_credential',
  column: 'client_secret',
  row: '1',
  ...changed,
});
const seal = (text: string, where = at()) =>
  world.inDeployment({ id: where.deployment }, (tx) => sealSecret(tx, world.keys, where, new Secret(text)));
const open = (sealed: string, where = at()) =>
  world.inDeployment({ id: where.deployment }, async (tx) => reveal(await openSecret(tx, world.keys, where, sealed)));

describe('a sealed secret', () => {
  test('can be opened for its field, and has a different ciphertext each time', async () => {
    const [one, two] = [await seal('open sesame'), await seal('open sesame')];
    assert.notEqual(one, two);
    assert.deepEqual([await open(one), await open(two)], ['open sesame', 'open sesame']);
  });

  test('cannot be opened for another row, column, table or deployment, or after tampering (SEC-06)', async () => {
    const sealed = await seal('open sesame');
    const other = await world.deployment();
    for (const where of [{ row: '2' }, { column: 'api_url' }, { table: 'sso_provider' }, { deployment: other.id }])
      await assert.rejects(open(sealed, at(where)), { name: 'EnvelopeFailure', reason: 'tampered' });
    const altered = sealed.slice(0, -2) + (sealed.at(-2) === 'A' ? 'B' : 'A') + sealed.slice(-1);
    await assert.rejects(open(altered), { name: 'EnvelopeFailure' });
    await assert.rejects(open('no seal'), { name: 'EnvelopeFailure', reason: 'malformed' });
  });

  test('of an older key version can still be opened after rotation (SEC-07)', async () => {
    const old = await seal('of the first key');
    const { keyVersion, text } = createDataKey(world.keys.derive('data-keys'), { deployment: place.id, keyVersion: 2 });
    await world.inDeployment(
      place,
      (tx) => tx.run`
        insert into data_key (deployment_id, key_version, wrapped) values (${place.id}, ${keyVersion}, ${text})`,
    );
    const recent = await seal('of the second key');
    assert.match(recent, /^v1\.2\./);
    assert.deepEqual([await open(old), await open(recent)], ['of the first key', 'of the second key']);
  });

  test('of an unknown key is refused', async () => {
    const sealed = (await seal('x')).replace(/^v1\.\d+/, 'v1.77');
    await assert.rejects(open(sealed), { name: 'EnvelopeFailure', reason: 'wrong_key' });
  });
});
