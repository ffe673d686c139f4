import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type TestDeployment, type TestUser, World } from '#test/support/world/world.ts';
import * as contract from './contract.ts';

let world: World;
let place: TestDeployment;
let person: TestUser;
before(async () => {
  world = await World.start();
  place = await world.deployment('Acme');
  person = await world.member(place);
});
after(() => world.stop());

const me = () => world.as(contract, person.jwt);

test('the account shows the role and the current session', async () => {
  const { user } = (await me().getUser({})).body;
  assert.equal(user.id, person.id);
  assert.equal(user.orgRole, 'ORG_ROLE_MEMBER');
  assert.deepEqual(
    user.authDetails.map(({ sourceId, current }) => [sourceId, current]),
    [[person.session, true]],
  );
});

test('userId accepts only the caller; other people are not found, whether they exist or not', async () => {
  assert.equal((await me().getUser({ query: { userId: person.id } })).status, 200);
  for (const userId of [place.admin.id, '99999999'])
    assert.equal((await me().getUser({ query: { userId } })).status, 404);
});

test('lists the deployments of the caller with their features', async () => {
  await world.deployment('Somebody else');
  const { orgs, userId } = (await me().listUserOrgs({})).body;
  assert.equal(userId, person.id);
  assert.deepEqual(
    orgs.map(({ slug, features }) => [slug, features.defaultUserRole]),
    [['acme', 'ORG_ROLE_READONLY']],
  );
});

test('feature flags are listed until they expire', async () => {
  await world.queryAsOwner(
    `insert into feature_flag (deployment_id, name, expires_at)
     values ($1, 'lasting', null), ($1, 'over', now() - interval '1 day'), ($1, 'timed', '2099-01-02T03:04:05.678Z')`,
    [place.id],
  );
  const [org] = (await me().listUserOrgs({})).body.orgs;
  assert.deepEqual(org?.features.featureFlags, [
    { name: 'lasting' },
    { name: 'timed', expiresAt: '2099-01-02T03:04:05.678Z' },
  ]);
});

test("only deployments with the verified domain of the caller's address can be joined", async () => {
  const open = await world.deployment('Open');
  const claimed = await world.deployment('Claimed');
  await world.queryAsOwner(
    "insert into deployment_domain values ($1, 'example.com', now()), ($2, 'example.com', null)",
    [open.id, claimed.id],
  );
  const { orgs } = (await me().listUserJoinableOrgs({})).body;
  assert.deepEqual(
    orgs.map(({ slug }) => slug),
    ['open'],
  );
  const resources = (await me().listUserAuthorizedResources({})).body;
  assert.deepEqual(
    resources.current.map(({ name }) => name),
    ['Acme'],
  );
  assert.deepEqual(
    resources.joinable.map(({ deploymentId }) => deploymentId),
    [Number(open.id)],
  );
});

test('a member can leave a deployment, but the last administrator cannot', async () => {
  const where = await world.deployment();
  const member = await world.member(where, 'ORG_ROLE_READONLY');
  const leave = (jwt: string) => world.as(contract, jwt).leaveDeployment({ path: { deploymentId: where.id } });
  const { status, problem } = await leave(where.admin.jwt);
  assert.deepEqual([status, problem.code], [409, 'LAST_ADMINISTRATOR']);
  assert.equal((await leave(person.jwt)).status, 404);
  assert.equal((await leave(member.jwt)).status, 200);
  assert.deepEqual((await world.as(contract, member.jwt).listUserOrgs({})).body.orgs, []);
  assert.equal((await leave(member.jwt)).status, 404);
});

test('settings start empty, and a change keeps absent members', async () => {
  const start = (await me().getUserSettings({})).body.settings;
  assert.equal(start.findingsTourState, 'TOUR_STATE_INCOMPLETE');
  await me().patchUserSettings({
    body: {
      subscribe: true,
      findingsTourState: 'TOUR_STATE_SKIPPED',
      tourStates: [{ id: 'TOUR_ID_AI_SCAN', state: 'TOUR_STATE_COMPLETE' }],
    },
  });
  await me().patchUserSettings({ body: { hasAcceptedToc: true, hasCompletedSupplyChainTour: true } });
  const { settings } = (await me().getUserSettings({})).body;
  assert.deepEqual(settings, {
    ...start,
    subscribe: true,
    hasAcceptedToc: true,
    findingsTourState: 'TOUR_STATE_SKIPPED',
    hasCompletedSupplyChainTour: true,
    supplyChainTourState: 'TOUR_STATE_COMPLETE',
    tourStates: [{ id: 'TOUR_ID_AI_SCAN', state: 'TOUR_STATE_COMPLETE' }],
  });
});

test('an address of another person cannot become the primary one', async () => {
  const { problem } = await me().patchUserSettings({ body: { primaryEmail: 'other@example.com' } });
  assert.equal(problem.code, 'EMAIL_NOT_AVAILABLE');
  assert.equal((await me().patchUserSettings({ body: { primaryEmail: person.email.toUpperCase() } })).status, 200);
});

test('API tokens have no account', async () => {
  const { text } = await world.token(place);
  assert.equal((await world.as(contract, text).getUser({})).problem.code, 'USER_JWT_REQUIRED');
});
