import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { teamActions } from '#test/support/factories/team-actions.ts';
import { type TestDeployment, World } from '#test/support/world/world.ts';
import * as contract from './contract.ts';

let world: World;
let place: TestDeployment;
let teams: ReturnType<typeof teamActions>;

before(async () => {
  world = await World.start();
  place = await world.deployment('Acme');
  teams = teamActions(world, place);
});
after(() => world.stop());

describe("list an RBAC team's repositories (seed 4.1)", () => {
  const team = async (count: number) => {
    const projects = await Promise.all(Array.from({ length: count }, () => world.project(place)));
    return teams.makeTeam({ repositoryIds: projects });
  };
  const list = (teamId: string, query: { limit?: string; cursor?: string } = {}) =>
    teams.admin.listTeamRepos({ path: { ...teams.path, teamId }, query });

  test('the response has deploymentId, teamId, repositoryIds, limit and cursor; the limit is 100 by default', async () => {
    const { id } = await team(2);
    const { status, body } = await list(id);
    assert.equal(status, 200);
    const repositoryIds = await teams.repositoriesOf(id);
    assert.equal(repositoryIds.length, 2);
    assert.deepEqual(body as unknown, { deploymentId: place.id, teamId: id, repositoryIds, limit: '100', cursor: '' });
    assert.ok(body.repositoryIds.every((one) => typeof one === 'string'));
  });

  test('an empty cursor returns the first page, and the cursor of a page leads to the next until it is empty', async () => {
    const { id } = await team(5);
    const all = await teams.repositoriesOf(id);
    const pages: string[][] = [];
    for (let cursor = '', isFirst = true; isFirst || cursor !== ''; isFirst = false) {
      const { body } = await list(id, { limit: '2', cursor });
      assert.equal(body.limit, '2');
      pages.push(body.repositoryIds);
      cursor = body.cursor ?? '';
    }
    assert.deepEqual(
      pages.map((page) => page.length),
      [2, 2, 1],
    );
    assert.deepEqual(pages.flat(), all);
  });

  test('a cursor is opaque: one that this server did not give, or gave for another list, is refused', async () => {
    const [one, two] = [await team(3), await team(3)];
    const { body } = await list(one.id, { limit: '1' });
    assert.equal((await list(one.id, { cursor: 'made-up' })).status, 400);
    assert.equal((await list(two.id, { limit: '1', cursor: body.cursor ?? '' })).status, 400);
  });

  test('either credential is accepted, and the team of another deployment is not found', async () => {
    const { id } = await team(1);
    const token = (await world.token(place)).text;
    const byToken = await world.as(contract, token).listTeamRepos({ path: { ...teams.path, teamId: id } });
    assert.equal(byToken.status, 200);
    const stranger = await world.deployment();
    const theirs = world.as(contract, stranger.admin.jwt);
    for (const deploymentId of [place.id, stranger.id])
      assert.equal((await theirs.listTeamRepos({ path: { deploymentId, teamId: id } })).status, 404);
  });
});
