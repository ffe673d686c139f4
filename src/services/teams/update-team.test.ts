import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import * as people from '#domain/accounts/store.ts';
import { teamActions } from '#test/support/factories/team-actions.ts';
import { type TestDeployment, World } from '#test/support/world/world.ts';

let world: World;
let place: TestDeployment;
let teams: ReturnType<typeof teamActions>;

before(async () => {
  world = await World.start();
  place = await world.deployment('Acme');
  teams = teamActions(world, place);
});
after(() => world.stop());

describe('update a deployment RBAC team (seed 4.4)', () => {
  test('updates the name, users and repositories of the team, and the response is {team}, the updated team', async () => {
    const [person, project, team] = [await world.member(place), await world.project(place), await teams.makeTeam()];
    const { status, body } = await teams.admin.updateDeploymentTeam({
      path: { ...teams.path, teamId: team.id },
      body: {
        team: { name: 'Payments Guild', users: [{ userId: person.id }], repositories: [{ repositoryId: project }] },
      },
    });
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(body), ['team']);
    const changed = { name: 'Payments Guild', slug: 'payments-guild', userCount: '1', repositoryCount: '1' };
    assert.deepEqual(body.team, { ...team, ...changed });
    assert.deepEqual(await teams.repositoriesOf(team.id), [project]);
  });

  test('userId is accepted as an integer, and either credential is', async () => {
    const [person, team] = [await world.member(place), await teams.makeTeam()];
    for (const token of [place.admin.jwt, (await world.token(place)).text]) {
      const url = `${world.baseUrl}/api/permissions/v2/deployments/${place.id}/teams/${team.id}`;
      const response = await fetch(url, {
        method: 'PATCH',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ team: { users: [{ userId: Number(person.id) }] } }),
      });
      assert.equal(response.status, 200, await response.text());
    }
    assert.deepEqual([...(await teams.membersOf(team.id)).keys()], [person.id]);
  });

  test('a list without actions replaces the whole list', async () => {
    const [one, two, three] = await Promise.all([world.member(place), world.member(place), world.member(place)]);
    const team = await teams.makeTeam({ users: [{ userId: one.id, role: 'TEAM_ROLE_MANAGER' }, { userId: two.id }] });
    await teams.admin.updateDeploymentTeam({
      path: { ...teams.path, teamId: team.id },
      body: { team: { users: [{ userId: one.id }, { userId: three.id, role: 'TEAM_ROLE_READONLY' }] } },
    });
    assert.deepEqual(
      await teams.membersOf(team.id),
      new Map([
        [one.id, 'TEAM_ROLE_MANAGER'],
        [three.id, 'TEAM_ROLE_READONLY'],
      ]),
    );
  });

  test('entries with actions update the current list', async () => {
    const [one, two, three] = await Promise.all([world.member(place), world.member(place), world.member(place)]);
    const team = await teams.makeTeam({ users: [{ userId: one.id }, { userId: two.id }] });
    const { body } = await teams.admin.updateDeploymentTeam({
      path: { ...teams.path, teamId: team.id },
      body: {
        team: {
          users: [
            { userId: one.id, action: 'UPDATE_ACTION_UPDATE', role: 'TEAM_ROLE_MANAGER' },
            { userId: two.id, action: 'UPDATE_ACTION_REMOVE' },
            { userId: three.id, action: 'UPDATE_ACTION_ADD' },
          ],
        },
      },
    });
    assert.equal(body.team.userCount, '2');
    assert.deepEqual(
      await teams.membersOf(team.id),
      new Map([
        [one.id, 'TEAM_ROLE_MANAGER'],
        [three.id, 'TEAM_ROLE_MEMBER'],
      ]),
    );
  });

  test('a mix of entries with and without action is refused and changes nothing', async () => {
    const [one, two] = await Promise.all([world.member(place), world.member(place)]);
    const team = await teams.makeTeam({ users: [{ userId: one.id }] });
    const { status, problem } = await teams.admin.updateDeploymentTeam({
      path: { ...teams.path, teamId: team.id },
      body: { team: { name: 'Renamed', users: [{ userId: two.id, action: 'UPDATE_ACTION_ADD' }, { userId: one.id }] } },
    });
    assert.equal(status, 400);
    assert.equal(problem.errors[0]?.code, 'MIXED_ACTIONS');
    const { body } = await teams.admin.getDeploymentTeam({ path: { ...teams.path, teamId: team.id } });
    assert.deepEqual(body.team, team);
  });

  test('one unknown id refuses the whole change, and foreign ids look like missing ones (TEN-05, AZN-04)', async () => {
    const other = await world.deployment();
    const foreign = await world.project(other);
    const mine = await world.project(place);
    const team = await teams.makeTeam();
    const change = (repositoryId: string) =>
      teams.admin.updateDeploymentTeam({
        path: { ...teams.path, teamId: team.id },
        body: { team: { repositories: [{ repositoryId: mine }, { repositoryId }] } },
      });
    for (const unknown of [foreign, '888888888']) {
      const { status, problem } = await change(unknown);
      assert.equal(status, 400);
      assert.equal(problem.errors[0]?.detail.replace(unknown, 'N'), 'repository N is not known in this deployment');
    }
    assert.deepEqual(await teams.repositoriesOf(team.id), []);
  });

  test('more than 500 entries are refused', async () => {
    const team = await teams.makeTeam();
    const repositories = Array.from({ length: 501 }, (_, index) => ({ repositoryId: String(index + 1) }));
    const { status } = await teams.admin.updateDeploymentTeam({
      path: { ...teams.path, teamId: team.id },
      body: { team: { repositories } },
    });
    assert.equal(status, 400);
  });

  test('a stale If-Match is refused, the current one is accepted and increments the version (CON-02)', async () => {
    const team = await teams.makeTeam();
    const call = { path: { ...teams.path, teamId: team.id }, body: { team: { name: 'Once' } } };
    const { headers } = await teams.admin.getDeploymentTeam({ path: call.path });
    const etag = headers.get('etag') ?? '';
    const first = await teams.admin.updateDeploymentTeam({ ...call, headers: { 'if-match': etag } });
    assert.equal(first.status, 200);
    assert.notEqual(first.headers.get('etag'), etag);
    const second = await teams.admin.updateDeploymentTeam({
      ...call,
      body: { team: { name: 'Twice' } },
      headers: { 'if-match': etag },
    });
    assert.equal(second.status, 412);
    assert.equal(second.problem.code, 'VERSION_MISMATCH');
  });

  test('concurrent additions are not lost (CON-03)', async () => {
    const team = await teams.makeTeam();
    const projects = await Promise.all(Array.from({ length: 24 }, () => world.project(place)));
    const answers = await Promise.all(
      projects.map((repositoryId) =>
        teams.admin.updateDeploymentTeam({
          path: { ...teams.path, teamId: team.id },
          body: { team: { repositories: [{ repositoryId, action: 'UPDATE_ACTION_ADD' }] } },
        }),
      ),
    );
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
    assert.deepEqual(new Set(await teams.repositoriesOf(team.id)), new Set(projects));
  });

  test('a user who leaves while being added causes no server error', async () => {
    for (let round = 0; round < 12; round++) {
      const leaving = await world.member(place);
      const team = await teams.makeTeam();
      const [added] = await Promise.all([
        teams.admin.updateDeploymentTeam({
          path: { ...teams.path, teamId: team.id },
          body: { team: { users: [{ userId: leaving.id, action: 'UPDATE_ACTION_ADD' }] } },
        }),
        world.inDeployment(place, (tx) => people.removeMembership(tx, { deployment: place.id, account: leaving.id })),
      ]);
      assert.ok([200, 400].includes(added.status), JSON.stringify(added.problem));
    }
  });

  test('unknown members of the change are refused and change nothing (AZN-05)', async () => {
    const team = await teams.makeTeam();
    const body = { team: { name: 'Plain', isUserDefault: true, parentTeamId: '1', deploymentId: '1', version: 99 } };
    const { problem } = await teams.admin.updateDeploymentTeam({ path: { ...teams.path, teamId: team.id }, body });
    assert.deepEqual(
      problem.errors.map(({ pointer, code }) => `${pointer} ${code}`),
      ['isUserDefault', 'parentTeamId', 'deploymentId', 'version'].map((name) => `#/team/${name} UNKNOWN_MEMBER`),
    );
    const after = await teams.admin.getDeploymentTeam({ path: { ...teams.path, teamId: team.id } });
    assert.deepEqual(after.body.team, team);
  });
});
