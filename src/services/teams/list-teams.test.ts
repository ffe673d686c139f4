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

  test('the name filter matches exactly, ignoring case', async () => {
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

  test('names are returned unchanged and in order across pages', async () => {
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

  test('each listed team equals the single team, for every caller and page size', async () => {
    const other = await world.deployment('Counted');
    const where = { deploymentId: other.id };
    const [manager, member] = [await world.memberWithoutTeam(other), await world.memberWithoutTeam(other)];
    const projects = await Promise.all([world.project(other), world.project(other), world.project(other)]);
    const make = async (team: Parameters<typeof teams.admin.createDeploymentTeam>[0]['body']['team']) =>
      (await world.as(contract, other.admin.jwt).createDeploymentTeam({ path: where, body: { team } })).body.team.id;
    const users = [{ userId: manager.id, role: 'TEAM_ROLE_MANAGER' as const }, { userId: member.id }];
    const top = await make({ name: 'Top', repositoryIds: projects, users });
    const below = await make({ name: 'Below', parentTeamId: top, users: [{ userId: member.id }] });
    for (const name of ['A', 'B']) await make({ name, parentTeamId: below, repositoryIds: projects.slice(1) });
    await make({ name: 'Elsewhere', repositoryIds: projects.slice(2), users: [{ userId: other.admin.id }] });
    const seen: number[] = [];
    for (const token of [other.admin.jwt, manager.jwt, member.jwt, (await world.token(other)).text]) {
      const caller = world.as(contract, token);
      const listed = (await caller.listDeploymentTeams({ path: where, body: { limit: '100' } })).body.teams;
      for (const team of listed)
        assert.deepEqual(team, (await caller.getDeploymentTeam({ path: { ...where, teamId: team.id } })).body.team);
      const paged = [];
      for (let cursor: string | undefined = ''; cursor !== undefined; ) {
        const { body }: Awaited<ReturnType<typeof caller.listDeploymentTeams>> = await caller.listDeploymentTeams({
          path: where,
          body: { limit: '1', cursor },
        });
        paged.push(...body.teams);
        cursor = body.cursor || undefined;
      }
      assert.deepEqual(paged, listed);
      seen.push(listed.length);
    }
    assert.deepEqual(seen, [6, 4, 4, 6]);
  });
});
