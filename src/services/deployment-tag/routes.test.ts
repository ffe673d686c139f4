import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import * as projects from '#domain/projects/store.ts';
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

const admin = () => world.as(contract, place.admin.jwt);
const path = () => ({ deploymentId: place.id });
const tagged = async (...tags: string[]) => {
  const id = await world.project(place);
  await world.inDeployment(place, (tx) => projects.addTags(tx, { deployment: place.id, id }, tags));
  return id;
};
const tagsOf = async (id: string) => (await world.inDeployment(place, (tx) => projects.find(tx, place.id, id)))?.tags;
const list = async () => (await admin().listDeploymentTags({ path: path() })).body.repository_tags;

test('a tag is listed once, from its first project on', async () => {
  await tagged('web', 'Ångström', 'web');
  await tagged('web', 'api');
  const { body } = await admin().listDeploymentTags({ path: path() });
  assert.deepEqual(body, { deployment_id: Number(place.id), repository_tags: ['api', 'web', 'Ångström'] });
});

test('a tag is kept when no project has it any more', async () => {
  const id = await tagged('lonely');
  await world.queryAsOwner('delete from project_tag where project_id = $1', [id]);
  assert.deepEqual(await list(), ['lonely']);
  await world.queryAsOwner('delete from project where id = $1', [id]);
  assert.deepEqual(await list(), ['lonely']);
  const one = await admin().getDeploymentTag({ path: { ...path(), repositoryTag: 'lonely' } });
  assert.deepEqual(one.body, { deployment_id: Number(place.id), repository_tag: 'lonely' });
});

test('a member sees no tags that only projects have which they may not see', async () => {
  const id = await tagged('hidden');
  await tagged('shown');
  const free = await tagged('free');
  await world.queryAsOwner('delete from project_tag where project_id = $1', [free]);
  const member = await world.member(place);
  await world.queryAsOwner('delete from team_project where project_id = $1', [id]);
  const theirs = world.as(contract, member.jwt);
  assert.deepEqual((await theirs.listDeploymentTags({ path: path() })).body.repository_tags, ['free', 'shown']);
  const { tags } = (await theirs.findDeploymentTags({ path: path(), body: {} })).body;
  assert.deepEqual(
    tags.map(({ name }) => name),
    ['free', 'shown'],
  );
  assert.equal((await theirs.getDeploymentTag({ path: { ...path(), repositoryTag: 'hidden' } })).status, 404);
  assert.deepEqual(await list(), ['free', 'hidden', 'shown']);
});

test('renaming a tag renames it on every project, and keeps its id', async () => {
  const [one, two] = [await tagged('old', 'kept'), await tagged('old')];
  const idOf = async (name: string) =>
    (await admin().findDeploymentTags({ path: path(), body: {} })).body.tags.find((tag) => tag.name === name)?.id;
  const id = await idOf('old');
  const { body } = await admin().updateDeploymentTag({
    path: { ...path(), repositoryTag: 'old' },
    body: { repositoryTag: 'old', name: ' new/er ' },
  });
  assert.deepEqual(body, { deployment_id: Number(place.id), repository_tag: 'new/er' });
  assert.deepEqual([await tagsOf(one), await tagsOf(two)], [['kept', 'new/er'], ['new/er']]);
  assert.equal(await idOf('new/er'), id);
  assert.equal((await admin().getDeploymentTag({ path: { ...path(), repositoryTag: 'new/er' } })).status, 200);
});

test('a tag cannot be renamed to an existing one, and nothing changes', async () => {
  const id = await tagged('one', 'two');
  const { status, problem } = await admin().updateDeploymentTag({
    path: { ...path(), repositoryTag: 'one' },
    body: { name: 'two' },
  });
  assert.deepEqual([status, problem.code], [409, 'TAG_TAKEN']);
  assert.deepEqual(await tagsOf(id), ['one', 'two']);
});

test('deleting a tag removes it from every project, and from no other deployment', async () => {
  const elsewhere = await world.deployment();
  const foreign = await world.project(elsewhere);
  await world.inDeployment(elsewhere, (tx) =>
    projects.addTags(tx, { deployment: elsewhere.id, id: foreign }, ['gone']),
  );
  const id = await tagged('gone', 'kept');
  assert.equal((await admin().deleteDeploymentTag({ path: { ...path(), repositoryTag: 'gone' } })).status, 200);
  assert.deepEqual([await tagsOf(id), await list()], [['kept'], ['kept']]);
  const rows = await world.queryAsOwner('select from project_tag where project_id = $1', [foreign]);
  assert.equal(rows.length, 1);
});

test('counts include only visible projects, and are returned only on request (AZN-08)', async () => {
  await tagged('shared');
  const hidden = await tagged('shared', 'hidden');
  await world.queryAsOwner('delete from team_project where project_id = $1', [hidden]);
  const person = await world.member(place);
  const counts = async (jwt: string, includeCounts: boolean) => {
    const { body } = await world.as(contract, jwt).findDeploymentTags({ path: path(), body: { includeCounts } });
    return body.tags.map(({ name, projectCount }) => [name, projectCount]);
  };
  assert.deepEqual(await counts(place.admin.jwt, true), [
    ['hidden', 1],
    ['shared', 2],
  ]);
  assert.deepEqual(await counts(person.jwt, true), [['shared', 1]]);
  assert.deepEqual(await counts(person.jwt, false), [['shared', undefined]]);
});

test('every operation on an unknown tag is a 404', async () => {
  const at = { ...path(), repositoryTag: 'absent' };
  const answers = [
    await admin().getDeploymentTag({ path: at }),
    await admin().updateDeploymentTag({ path: at, body: { name: 'x' } }),
    await admin().deleteDeploymentTag({ path: at }),
  ];
  assert.deepEqual(
    answers.map(({ status }) => status),
    [404, 404, 404],
  );
});
