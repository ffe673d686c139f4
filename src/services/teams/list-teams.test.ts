import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { teamsOf } from '#test/support/teams.ts';
import { type Place, World } from '#test/support/world.ts';
import * as contract from './contract.ts';

let world: World;
let place: Place;
let teams: ReturnType<typeof teamsOf>;

before(async () => {
  world = await World.start();
  place = await world.deployment('Acme');
  teams = teamsOf(world, place);
});
after(() => world.stop());

describe('list deployment teams (seed 4.7)', () => {
  test('the response is {teams, cursor}, each team with the members of section 2.2', async () => {
    const { status, body } = await teams.admin.listDeploymentTeams({ path: teams.path, body: {} });
    assert.equal(status, 200);
    const [team] = body.teams;
    assert.deepEqual(team, {
      id: team?.id,
      deploymentId: place.id,
      name: 'Acme',
      slug: 'acme',
      parentTeamId: '0',
      repositoryCount: '0',
      userCount: '1',
      childTeamCount: '0',
      isProjectDefault: true,
      isUserDefault: true,
      authorizedScopes: ['TEAM_SCOPE_DIRECT_MEMBER', 'TEAM_SCOPE_MANAGE'],
    });
    assert.equal(body.cursor, '');
  });

  test('the filter has a name: the team that has it, ignoring case, and no other', async () => {
    await teams.makeTeam({ name: 'Mobile Checkout' });
    await teams.makeTeam({ name: 'Mobile Checkout Two' });
    const { body } = await teams.admin.listDeploymentTeams({
      path: teams.path,
      body: { filter: { name: 'mobile checkout' } },
    });
    assert.deepEqual(
      body.teams.map(({ name }) => name),
      ['Mobile Checkout'],
    );
  });

  test('an empty cursor gives the first page, and either credential is accepted', async () => {
    for (const token of [place.admin.jwt, (await world.token(place)).text]) {
      const { status, body } = await world
        .as(contract, token)
        .listDeploymentTeams({ path: teams.path, body: { limit: '1', cursor: '' } });
      assert.equal(status, 200);
      assert.deepEqual([body.teams.length, body.teams[0]?.name], [1, 'Acme']);
      assert.notEqual(body.cursor, '');
    }
  });

  test('names come back letter by letter, in their order, and each page goes on where the last one ended', async () => {
    const other = await world.deployment('Zz');
    const names = ['"quoted"', '{"id":"1"}', "Bobby'); drop", 'a\\b', 'é\u2028\u{1F600}', '</script>'];
    const caller = world.as(contract, other.admin.jwt);
    const where = { deploymentId: other.id };
    for (const name of names) await caller.createDeploymentTeam({ path: where, body: { team: { name } } });
    const listed: string[] = [];
    for (let cursor = '', isFirst = true; isFirst || cursor !== ''; isFirst = false) {
      const { body } = await caller.listDeploymentTeams({ path: where, body: { limit: '2', cursor } });
      listed.push(...body.teams.map(({ name }) => name));
      cursor = body.cursor ?? '';
    }
    const bytes = (text: string) => Buffer.from(text);
    assert.deepEqual(
      listed,
      [...names, 'Zz'].sort((one, two) => Buffer.compare(bytes(one), bytes(two))),
    );
  });
});
