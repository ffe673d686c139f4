import createClient from 'openapi-fetch';
import type { components, paths } from './types.ts';

/** A program as a user of the API writes it, with the types that openapi-typescript made; prints what it saw. */

type Team = components['schemas']['Team'];

const { BASE = '', TOKEN = '', DEPLOYMENT = '' } = process.env;
const api = createClient<paths>({ baseUrl: BASE, headers: { authorization: `Bearer ${TOKEN}` } });
const base = '/api/permissions/v2/deployments/{deploymentId}';
const deployment = { deploymentId: DEPLOYMENT };

async function listTeams(): Promise<Team[]> {
  const teams: Team[] = [];
  let cursor = '';
  do {
    const { data, error } = await api.POST(`${base}/teams/list`, {
      params: { path: deployment },
      body: { limit: '1', cursor },
    });
    if (error) throw new Error(`${error.code}: ${error.detail}`);
    teams.push(...data.teams);
    cursor = data.cursor;
  } while (cursor !== '');
  return teams;
}

const created = await api.POST(`${base}/teams`, {
  params: { path: deployment, header: { 'Idempotency-Key': 'payments' } },
  body: { team: { name: 'Payments' } },
});
const teamId = created.data?.team.id ?? '';
const changed = await api.PATCH(`${base}/teams/{teamId}`, {
  params: { path: { ...deployment, teamId } },
  body: { team: { name: 'Billing' } },
});
const names = (await listTeams()).map(({ name }) => name);
const members = await api.GET(`${base}/teams/{teamId}/members`, {
  params: { path: { ...deployment, teamId }, query: { limit: 10 } },
});
await api.DELETE(`${base}/teams/{teamId}`, { params: { path: { ...deployment, teamId } } });
const gone = await api.GET(`${base}/teams/{teamId}`, { params: { path: { ...deployment, teamId } } });

/** What the types must refuse: the compiler reports each line that it does not refuse. */
export const refused = () => [
  // @ts-expect-error there is no such path
  api.GET('/api/permissions/v3/teams'),
  // @ts-expect-error a team must have a name
  api.POST(`${base}/teams`, { params: { path: deployment }, body: { team: {} } }),
  // @ts-expect-error a reply has no such member
  changed.data?.team.colour,
  // @ts-expect-error a role is one of three
  { userId: '1', role: 'TEAM_ROLE_OWNER' } satisfies components['schemas']['TeamMember'],
];

console.log(
  JSON.stringify({
    changed: changed.data?.team.name,
    names,
    members: members.data?.users,
    gone: gone.error?.code,
  }),
);
