import * as teams from '#services/teams/contract.ts';
import type { World } from '#test/support/world/world.ts';
import type { Race } from '../race.ts';
import { listed, makeRaceDeployment, oneOf } from './race-deployment.ts';

const PEOPLE = 40;
const change = (userId: string, action: string) => ({ team: { users: [{ userId, action }] } });

/** Seed 4.4: people are added to a team and removed from it. */
export async function team(world: World): Promise<Race> {
  const { place, baseUrl, token } = await makeRaceDeployment(world);
  const people: string[] = [];
  for (let count = 0; count < PEOPLE; count++) people.push((await world.memberWithoutTeam(place)).id);
  const made = await world
    .as(teams, token)
    .createDeploymentTeam({ path: { deploymentId: place.id }, body: { team: { name: 'Contested' } } });
  const { id } = made.body.team;
  const path = `/api/permissions/v2/deployments/${place.id}/teams/${id}`;
  const members = new Set<string>();
  return {
    name: '4.4 update team',
    baseUrl,
    token,
    readPath: path,
    write: { method: 'PATCH', path },
    draw: (random) => change(oneOf(people, random), `UPDATE_ACTION_${random() < 0.5 ? 'ADD' : 'REMOVE'}`),
    decisive: () => change(people[0] ?? '', 'UPDATE_ACTION_ADD'),
    told: (body) => String((body['team'] as { userCount: string }).userCount),
    model: {
      apply: (body) => {
        const [user] = (body as ReturnType<typeof change>).team.users;
        if (user?.action === 'UPDATE_ACTION_ADD') members.add(user.userId);
        else members.delete(user?.userId ?? '');
        return String(members.size);
      },
      whole: () => listed(members),
    },
    stored: async () => {
      const rows = await world.queryAsOwner<{ id: string }>(
        'select account_id as id from team_member where team_id = $1',
        [id],
      );
      return listed(rows.map((row) => row.id));
    },
  };
}
