import assert from 'node:assert/strict';
import * as contract from '#services/teams/contract.ts';
import { type TestDeployment, uniqueName, type World } from '../world/world.ts';

type Wish = Partial<
  Parameters<ReturnType<typeof World.prototype.as<typeof contract>>['createDeploymentTeam']>[0]['body']['team']
>;

/** Common steps of team tests, as the administrator of a deployment. */
export function teamActions(world: World, place: TestDeployment) {
  const admin = world.as(contract, place.admin.jwt);
  const path = { deploymentId: place.id };
  return {
    admin,
    path,
    makeTeam: async (team: Wish = {}) => {
      const { body, status, problem } = await admin.createDeploymentTeam({
        path,
        body: { team: { name: uniqueName('Team '), ...team } },
      });
      assert.equal(status, 200, JSON.stringify(problem));
      return body.team;
    },
    membersOf: async (teamId: string) => {
      const { body } = await admin.listTeamUsers({ path: { ...path, teamId } });
      return new Map(body.users.map(({ userId, role }) => [userId, role]));
    },
    repositoriesOf: async (teamId: string) =>
      (await admin.listTeamRepos({ path: { ...path, teamId } })).body.repositoryIds,
  };
}
