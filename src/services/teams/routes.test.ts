import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { teamActions } from '#test/support/factories/team-actions.ts';
import { type TestDeployment, type TestUser, World } from '#test/support/world/world.ts';
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

describe('check RBAC status', () => {
  test('a new deployment controls access by teams', async () => {
    const { body } = await teams.admin.checkRbacStatus({ path: teams.path });
    assert.deepEqual(body, { deploymentId: place.id, enabled: true, selfServeEnabled: false });
  });
});

describe('create a team', () => {
  test('the reply is the whole team with ids and counts as strings', async () => {
    const project = await world.project(place);
    const { body } = await teams.admin.createDeploymentTeam({
      path: teams.path,
      body: {
        team: {
          name: 'Payments',
          repositoryIds: [project],
          users: [{ userId: place.admin.id, role: 'TEAM_ROLE_MANAGER' }],
        },
      },
    });
    assert.deepEqual(body.team, {
      id: body.team.id,
      deploymentId: place.id,
      name: 'Payments',
      slug: 'payments',
      parentTeamId: '0',
      repositoryCount: '1',
      userCount: '1',
      childTeamCount: '0',
      isProjectDefault: false,
      isUserDefault: false,
      authorizedScopes: ['TEAM_SCOPE_DIRECT_MEMBER', 'TEAM_SCOPE_MANAGE'],
    });
  });

  test('a name is unique among the teams of one parent, ignoring case', async () => {
    const parent = await teams.makeTeam();
    await teams.makeTeam({ name: 'Checkout' });
    await teams.makeTeam({ name: 'Checkout', parentTeamId: parent.id });
    const again = await teams.admin.createDeploymentTeam({ path: teams.path, body: { team: { name: 'CHECKOUT' } } });
    assert.equal(again.status, 409);
    assert.equal(again.problem.code, 'TEAM_NAME_TAKEN');
  });

  test('teams nest three levels deep and no deeper', async () => {
    const first = await teams.makeTeam();
    const second = await teams.makeTeam({ parentTeamId: first.id });
    const third = await teams.makeTeam({ parentTeamId: second.id });
    const fourth = await teams.admin.createDeploymentTeam({
      path: teams.path,
      body: { team: { name: 'Too deep', parentTeamId: third.id } },
    });
    assert.equal(fourth.status, 400);
    assert.equal(fourth.problem.errors[0]?.code, 'TOO_DEEP');
  });

  test('a foreign and a missing parent give the same error (AZN-04)', async () => {
    const other = await world.deployment();
    const theirs = await world.as(contract, other.admin.jwt).createDeploymentTeam({
      path: { deploymentId: other.id },
      body: { team: { name: 'Theirs' } },
    });
    const tries = [theirs.body.team.id, '999999999'].map((parentTeamId) =>
      teams.admin.createDeploymentTeam({ path: teams.path, body: { team: { name: 'Mine', parentTeamId } } }),
    );
    const [foreign, absent] = await Promise.all(tries);
    assert.equal(foreign?.status, 400);
    assert.deepEqual(foreign?.problem.errors, absent?.problem.errors);
  });
});

describe('delete a team', () => {
  test('the first time is 200 with an empty object, the second is 404 (CON-05)', async () => {
    const team = await teams.makeTeam();
    const first = await teams.admin.deleteDeploymentTeam({ path: { ...teams.path, teamId: team.id } });
    assert.deepEqual([first.status, first.body], [200, {}]);
    assert.equal((await teams.admin.deleteDeploymentTeam({ path: { ...teams.path, teamId: team.id } })).status, 404);
  });

  test('a team with sub-teams cannot be deleted', async () => {
    const parent = await teams.makeTeam();
    await teams.makeTeam({ parentTeamId: parent.id });
    const { status, problem } = await teams.admin.deleteDeploymentTeam({ path: { ...teams.path, teamId: parent.id } });
    assert.deepEqual([status, problem.code], [409, 'TEAM_HAS_CHILDREN']);
  });

  test('the default team cannot be deleted', async () => {
    const { body } = await teams.admin.listDeploymentTeams({ path: teams.path, body: { filter: { name: 'acme' } } });
    const { problem } = await teams.admin.deleteDeploymentTeam({
      path: { ...teams.path, teamId: body.teams[0]?.id ?? '' },
    });
    assert.equal(problem.code, 'DEFAULT_TEAM');
  });
});

describe('team-scoped members', () => {
  let outsider: TestUser;
  let parent: { id: string };
  let child: { id: string };

  before(async () => {
    outsider = await world.memberWithoutTeam(place);
    parent = await teams.makeTeam({ users: [{ userId: outsider.id, role: 'TEAM_ROLE_MANAGER' }] });
    child = await teams.makeTeam({ parentTeamId: parent.id });
  });

  test('see only their own teams and the teams below', async () => {
    const { body } = await world.as(contract, outsider.jwt).listDeploymentTeams({ path: teams.path, body: {} });
    assert.deepEqual(new Set(body.teams.map(({ id }) => id)), new Set([parent.id, child.id]));
  });

  test('manage their managed teams and the teams below', async () => {
    const { status } = await world.as(contract, outsider.jwt).updateDeploymentTeam({
      path: { ...teams.path, teamId: child.id },
      body: { team: { name: 'Managed from above' } },
    });
    assert.equal(status, 200);
  });

  test('cannot add an invisible repository (AZN-04)', async () => {
    const hidden = await world.project(place);
    const { status } = await world.as(contract, outsider.jwt).updateDeploymentTeam({
      path: { ...teams.path, teamId: child.id },
      body: { team: { repositories: [{ repositoryId: hidden, action: 'UPDATE_ACTION_ADD' }] } },
    });
    assert.equal(status, 400);
  });

  test('a team member who is not a manager may read but not change the team', async () => {
    const member = await world.memberWithoutTeam(place);
    const team = await teams.makeTeam({ users: [{ userId: member.id }] });
    const caller = world.as(contract, member.jwt);
    const shown = await caller.getDeploymentTeam({ path: { ...teams.path, teamId: team.id } });
    assert.deepEqual(shown.body.team.authorizedScopes, ['TEAM_SCOPE_DIRECT_MEMBER']);
    const change = await caller.updateDeploymentTeam({
      path: { ...teams.path, teamId: team.id },
      body: { team: { name: 'No' } },
    });
    assert.deepEqual([change.status, change.problem.code], [403, 'PERMISSION_DENIED']);
  });
});
