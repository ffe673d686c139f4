import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { loadIgnoreMatcher } from '#domain/ignores/store.ts';
import type { Product } from '#domain/products/shape.ts';
import { type TestDeployment, World } from '#test/support/world/world.ts';
import * as contract from './contract.ts';

let world: World;
let place: TestDeployment;

before(async () => {
  world = await World.start();
});
beforeEach(async () => {
  place = await world.deployment();
});
after(() => world.stop());

const path = () => ({ deploymentId: place.id });
const admin = () => world.as(contract, place.admin.jwt);
type Lists = { product: Product; ignores?: string[] }[];

const create = (productIgnores: Lists) =>
  admin().createDeploymentProductIgnores({ path: path(), body: { productIgnores } });
const update = (productIgnores: Lists) =>
  admin().updateDeploymentProductIgnores({ path: path(), body: { productIgnores } });
const lists = async () => (await admin().getDeploymentProductIgnores({ path: path() })).body.productIgnores;

test('creating appends patterns to each product, without duplicates', async () => {
  const first = await create([
    { product: 'PRODUCT_SCA', ignores: ['b/'] },
    { product: 'PRODUCT_SAST', ignores: ['tests/', '*.min.js', 'tests/'] },
  ]);
  assert.deepEqual([first.status, first.body], [200, {}]);
  await create([{ product: 'PRODUCT_SAST', ignores: ['docs/', 'tests/'] }]);
  assert.deepEqual(await lists(), [
    { product: 'PRODUCT_SAST', ignores: ['tests/', '*.min.js', 'docs/'] },
    { product: 'PRODUCT_SCA', ignores: ['b/'] },
  ]);
});

test('updating replaces the lists of the given products only', async () => {
  await create([
    { product: 'PRODUCT_SAST', ignores: ['a'] },
    { product: 'PRODUCT_SECRETS', ignores: ['s'] },
    { product: 'PRODUCT_AI_SAST', ignores: ['x'] },
  ]);
  await update([
    { product: 'PRODUCT_SAST', ignores: ['z', 'y'] },
    { product: 'PRODUCT_SECRETS', ignores: [] },
  ]);
  assert.deepEqual(await lists(), [
    { product: 'PRODUCT_SAST', ignores: ['z', 'y'] },
    { product: 'PRODUCT_AI_SAST', ignores: ['x'] },
  ]);
});

test('deleting removes the list of a product or all lists, and succeeds without any', async () => {
  const remove = (query: object) => admin().deleteDeploymentProductIgnores({ path: path(), query });
  await create([
    { product: 'PRODUCT_SAST', ignores: ['a'] },
    { product: 'PRODUCT_SCA', ignores: ['b'] },
    { product: 'PRODUCT_SECRETS', ignores: ['c'] },
  ]);
  assert.equal((await remove({ product: 'PRODUCT_SCA' })).status, 200);
  assert.deepEqual(
    (await lists()).map(({ product }) => product),
    ['PRODUCT_SAST', 'PRODUCT_SECRETS'],
  );
  assert.equal((await remove({ product: 'PRODUCT_UNSPECIFIED' })).status, 200);
  assert.deepEqual(await lists(), []);
  assert.equal((await remove({})).status, 200);
});

test('a product has at most a thousand patterns, however they are added', async () => {
  const patterns = (from: number, length: number) => Array.from({ length }, (_, index) => `p${from + index}`);
  assert.equal((await create([{ product: 'PRODUCT_SAST', ignores: patterns(0, 999) }])).status, 200);
  const attempts = await Promise.all(
    [1000, 2000, 3000].map((from) => create([{ product: 'PRODUCT_SAST', ignores: patterns(from, 1) }])),
  );
  assert.deepEqual(attempts.map(({ status }) => status).sort(), [200, 409, 409]);
  const twice = [
    { product: 'PRODUCT_SCA', ignores: patterns(0, 600) },
    { product: 'PRODUCT_SCA', ignores: patterns(600, 600) },
  ] satisfies Lists;
  assert.equal((await update(twice)).status, 409);
});

test('the ignore matcher decides by product and path, for its own deployment only', async () => {
  await create([{ product: 'PRODUCT_SAST', ignores: ['# ours', '', 'tests/', '!tests/real.js', '*.min.js'] }]);
  const isIgnored = await world.inDeployment(place, (tx) => loadIgnoreMatcher(tx, place.id));
  assert.equal(isIgnored('sast', 'web/tests/a.js'), true);
  assert.equal(isIgnored('sast', 'web/a.min.js'), true);
  assert.equal(isIgnored('sast', 'web/a.js'), false);
  assert.equal(isIgnored('sca', 'web/tests/a.js'), false);
  const other = await world.deployment();
  assert.equal((await world.inDeployment(other, (tx) => loadIgnoreMatcher(tx, other.id)))('sast', 'tests/a.js'), false);
});
