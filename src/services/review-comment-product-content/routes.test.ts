import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Id } from '#kernel/contract/proto-fields.ts';
import { type TestDeployment, World } from '#test/support/world/world.ts';
import * as contract from './contract.ts';

let world: World;
let place: TestDeployment;

before(async () => {
  world = await World.start();
  place = await world.deployment();
});
after(() => world.stop());

const path = () => ({ deploymentId: place.id as Id<'Deployment'> });
const admin = () => world.as(contract, place.admin.jwt);
type Product = 'PRODUCT_SAST' | 'PRODUCT_SCA' | 'PRODUCT_SECRETS' | 'PRODUCT_AI_SAST';

const create = (productType: Product, content: string, headers = {}) =>
  admin().createReviewCommentProductContent({
    path: path(),
    body: { reviewCommentProductContent: { content, productContent: { productType } } },
    headers,
  });
const contents = async () =>
  (await admin().listReviewCommentProductContent({ path: path() })).body.reviewCommentContents;
const codeOf = (body: unknown) => (body as { code?: string }).code;

test('a product has one addendum, which is created, changed and deleted', async () => {
  const text = 'Questions?\n\tAsk in **#security** 🙂';
  const made = await create('PRODUCT_SCA', text);
  assert.equal(made.status, 200);
  const { id } = made.body.reviewCommentProductContent;
  const expected = {
    id,
    contentType: 'REVIEW_COMMENT_CONTENT_TYPE_ADDENDUM',
    content: text,
    productContent: { productType: 'PRODUCT_SCA' },
  };
  assert.deepEqual(made.body.reviewCommentProductContent, expected);
  assert.deepEqual(await contents(), [expected]);
  const again = await create('PRODUCT_SCA', 'another');
  assert.deepEqual([again.status, codeOf(again.body)], [409, 'CONTENT_EXISTS']);
  const contentPath = { ...path(), reviewCommentProductContentId: id };
  const changed = await admin().updateReviewCommentProductContent({
    path: contentPath,
    body: { reviewCommentProductContent: { id, content: 'New' } },
  });
  assert.deepEqual(changed.body.reviewCommentProductContent, { ...expected, content: 'New' });
  assert.equal((await admin().deleteReviewCommentProductContent({ path: contentPath })).status, 200);
  assert.equal((await admin().deleteReviewCommentProductContent({ path: contentPath })).status, 404);
  assert.deepEqual(await contents(), []);
});

test('of concurrent creations for the same product one succeeds', async () => {
  const attempts = await Promise.all(Array.from({ length: 6 }, () => create('PRODUCT_SECRETS', 'x')));
  assert.deepEqual(attempts.map(({ status }) => status).sort(), [200, 409, 409, 409, 409, 409]);
});

test('content moves only to a product without content, and only with the current version', async () => {
  const { body, headers } = await create('PRODUCT_SAST', 'x');
  const contentPath = { ...path(), reviewCommentProductContentId: body.reviewCommentProductContent.id };
  const move = (productType: Product, more: object = {}) =>
    admin().updateReviewCommentProductContent({
      path: contentPath,
      body: { reviewCommentProductContent: { productContent: { productType } } },
      ...more,
    });
  assert.equal((await move('PRODUCT_SECRETS')).status, 409);
  const etag = headers.get('etag') ?? '';
  assert.equal((await move('PRODUCT_AI_SAST', { headers: { 'if-match': etag } })).status, 200);
  assert.equal((await move('PRODUCT_SAST', { headers: { 'if-match': etag } })).status, 412);
});

test('an id in the body that differs from the path is refused', async () => {
  const [{ id } = assert.fail()] = await contents();
  const { status } = await admin().updateReviewCommentProductContent({
    path: { ...path(), reviewCommentProductContentId: id },
    body: { reviewCommentProductContent: { id: '999' as Id<'ReviewCommentContent'>, content: 'x' } },
  });
  assert.equal(status, 400);
});

test('empty, overlong and invalid texts are refused', async () => {
  for (const content of ['', ' \n ', 'x'.repeat(4001), 'a\u0007b', 'a\u0085b'])
    assert.equal((await create('PRODUCT_SCA', content)).status, 400, JSON.stringify(content));
  assert.equal((await create('PRODUCT_SCA', 'x'.repeat(4000))).status, 200);
});
