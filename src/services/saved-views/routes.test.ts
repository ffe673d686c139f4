import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import * as members from '#domain/teams/members.ts';
import * as teams from '#domain/teams/store.ts';
import { type TestDeployment, type TestUser, World } from '#test/support/world/world.ts';
import * as contract from './contract.ts';

let world: World;
let place: TestDeployment;
let mate: TestUser;
let stranger: TestUser;
let team: string;

before(async () => {
  world = await World.start();
  place = await world.deployment();
  mate = await world.memberWithoutTeam(place);
  stranger = await world.memberWithoutTeam(place);
  team = await world.inDeployment(place, async (tx) => {
    const parent = (await teams.insert(tx, { deployment: place.id, name: 'Payments', parent: undefined })) ?? '';
    const child = (await teams.insert(tx, { deployment: place.id, name: 'Cards', parent })) ?? '';
    await members.addMembers(tx, { deployment: place.id, team: parent }, [
      { account: mate.id, role: 'TEAM_ROLE_MEMBER' },
    ]);
    return child;
  });
});
after(() => world.stop());

const path = () => ({ deployment: place.id });
const at = (viewId: string) => ({ ...path(), viewId });
const as = ({ jwt }: TestUser) => world.as(contract, jwt);
const names = async (person: TestUser) =>
  (await as(person).listSavedViews({ path: path() })).body.views.map(({ name }) => name);

test('a view is private until it is shared with a team, and only its owner changes it', async () => {
  const body = { name: '  Severe ', search: 'q=severity:high', isPinned: true };
  const { view } = (await as(place.admin).createSavedView({ path: path(), body })).body;
  assert.deepEqual([view.name, view.isOwn, view.isPinned, view.teamId], ['Severe', true, true, undefined]);
  assert.deepEqual([await names(place.admin), await names(mate)], [['Severe'], []]);
  assert.equal((await as(mate).pinSavedView({ path: at(view.id), body: { isPinned: true } })).status, 404);
  const shared = await as(place.admin).updateSavedView({ path: at(view.id), body: { teamId: team } });
  assert.deepEqual([shared.body.view.teamName, shared.body.view.search], ['Cards', 'q=severity:high']);
  assert.deepEqual([await names(mate), await names(stranger)], [['Severe'], []]);
  const pinned = await as(mate).pinSavedView({ path: at(view.id), body: { isPinned: true } });
  assert.deepEqual([pinned.body.view.isPinned, pinned.body.view.isOwn], [true, false]);
  assert.equal((await as(mate).updateSavedView({ path: at(view.id), body: { name: 'x' } })).status, 404);
  assert.equal((await as(mate).deleteSavedView({ path: at(view.id) })).status, 404);
  await as(place.admin).updateSavedView({ path: at(view.id), body: { isShared: false } });
  assert.deepEqual(await names(mate), []);
  assert.equal((await as(place.admin).deleteSavedView({ path: at(view.id) })).status, 200);
  assert.deepEqual(await names(place.admin), []);
});

test('a view is shared only with a team that its owner can see, and stays when the team goes', async () => {
  const save = (person: TestUser, teamId: string) =>
    as(person).createSavedView({ path: path(), body: { name: 'Shared', search: '', teamId } });
  assert.equal((await save(stranger, team)).problem.errors[0]?.pointer, '#/teamId');
  assert.equal((await save(mate, '999999')).problem.errors[0]?.pointer, '#/teamId');
  assert.equal((await save(mate, team)).status, 200);
  await world.queryAsOwner('delete from team where deployment_id = $1 and id = $2', [place.id, team]);
  const { views } = (await as(mate).listSavedViews({ path: path() })).body;
  assert.deepEqual([views[0]?.name, views[0]?.teamId], ['Shared', undefined]);
});

test('views that one person saves at once do not exceed the limit (CON-04)', async () => {
  await world.queryAsOwner(
    `insert into saved_view (deployment_id, account_id, name, search, created_at)
     select $1, $2, 'x', '', now() from generate_series(1, $3)`,
    [place.id, stranger.id, contract.MAX_SAVED_VIEWS - 3],
  );
  const replies = await Promise.all(
    Array.from({ length: 20 }, () =>
      as(stranger).createSavedView({ path: path(), body: { name: 'more', search: '' } }),
    ),
  );
  assert.equal(replies.filter(({ status }) => status === 200).length, 3);
  const codes = replies.filter(({ status }) => status !== 200).map(({ problem }) => problem.code);
  assert.deepEqual([...new Set(codes)], ['VIEW_QUOTA']);
});
