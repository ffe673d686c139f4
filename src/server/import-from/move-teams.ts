import { type LooseObject, object, objects, text, texts } from '#domain/reports/json/loose-values.ts';
import { MAX_TEAM_LIST_ENTRIES } from '#services/teams/contract.ts';
import type { MoveTally } from './move-tally.ts';
import { type MoveTarget, problemOf } from './move-target.ts';
import { idOf, type SemgrepSource } from './semgrep-source.ts';
import { RemoteFailure } from './source-api.ts';

const PAGE = 100;
const ROLES = ['TEAM_ROLE_MEMBER', 'TEAM_ROLE_MANAGER', 'TEAM_ROLE_READONLY'] as const;
type TeamRoleOfMember = (typeof ROLES)[number];

interface OtherTeam {
  id: string;
  name: string;
  parent: string;
  members: { email: string; role: TeamRoleOfMember }[];
  projects: string[];
}

export interface OrganizationMove {
  source: SemgrepSource;
  target: MoveTarget;
  tally: MoveTally;
  isDryRun: boolean;
}

/** Creates the teams that are missing, and adds members and projects that exist here; removes nothing. */
export async function moveTeams(move: OrganizationMove): Promise<void> {
  const { target, tally, isDryRun } = move;
  const teams = await readTeams(move).catch((error: unknown) => {
    if (!(error instanceof RemoteFailure) || ![403, 404].includes(error.status)) throw error;
    tally.leave('teams, which the token may not read there');
    return [];
  });
  if (teams.length === 0) return;
  const here = await readHere(target);
  const idsHere = new Map<string, string>();
  for (const team of parentsFirst(teams)) {
    const members = team.members.flatMap(({ email, role }) => {
      const userId = here.users.get(email);
      if (userId === undefined) tally.leave(`members of teams without an account here (${email})`);
      return userId === undefined ? [] : [{ userId, role }];
    });
    const projects = team.projects.flatMap((name) => here.projects.get(name.toLowerCase()) ?? []);
    tally.leave('projects of teams that do not exist here', isDryRun ? 0 : team.projects.length - projects.length);
    if (isDryRun) tally.carry('teams');
    else {
      const parentHere = idsHere.get(team.parent) ?? '0';
      const id = await saveTeam(move, { ...team, members, projects }, { parentHere, teams: here.teams });
      if (id !== undefined) idsHere.set(team.id, id);
    }
  }
}

async function readTeams({ source, tally }: OrganizationMove): Promise<OtherTeam[]> {
  const base = `/api/permissions/v2/deployments/${source.deployment.id}/teams`;
  const emails = new Map<string, string>();
  const users = object(await source.api.get(`/api/agent/deployments/${source.deployment.id}/users`));
  for (const { id, email } of objects(users['users'])) emails.set(idOf(id), (text(email) ?? '').toLowerCase());
  const teams: OtherTeam[] = [];
  const pages = pagesOf((cursor) => source.api.post(`${base}/list`, { limit: String(PAGE), cursor }));
  for await (const page of pages)
    for (const team of objects(page['teams'])) {
      // Everybody and everything is in it here, too.
      if (team['isUserDefault'] === true && team['isProjectDefault'] === true) tally.leave('the default team');
      else teams.push(await readTeam(source, `${base}/${idOf(team['id'])}`, { team, emails }));
    }
  return teams;
}

async function readTeam(
  { api, projectNames }: SemgrepSource,
  path: string,
  { team, emails }: { team: LooseObject; emails: ReadonlyMap<string, string> },
): Promise<OtherTeam> {
  const members: OtherTeam['members'] = [];
  for await (const page of pagesOf((cursor) => api.get(`${path}/members`, { limit: PAGE, cursor })))
    for (const { userId, role } of objects(page['users'])) {
      const email = emails.get(idOf(userId));
      if (email) members.push({ email, role: ROLES.find((one) => one === role) ?? 'TEAM_ROLE_MEMBER' });
    }
  const projects: string[] = [];
  for await (const page of pagesOf((cursor) => api.get(`${path}/repos`, { limit: PAGE, cursor })))
    for (const id of texts(page['repositoryIds'])) projects.push(projectNames.get(id) ?? '');
  const [id, name] = [idOf(team['id']), text(team['name']) ?? ''];
  return { id, name, parent: idOf(team['parentTeamId']), members, projects: projects.filter((one) => one !== '') };
}

async function* pagesOf(read: (cursor: string) => Promise<unknown>): AsyncIterable<LooseObject> {
  let cursor = '';
  do {
    const page = object(await read(cursor));
    yield page;
    const next = text(page['cursor']) ?? '';
    cursor = next === cursor ? '' : next;
  } while (cursor !== '');
}

/** A team after its parent; a parent that is not there counts as none. */
function parentsFirst(teams: readonly OtherTeam[]): OtherTeam[] {
  const rest = new Map(teams.map((team) => [team.id, team]));
  const sorted: OtherTeam[] = [];
  const place = (team: OtherTeam) => {
    if (!rest.delete(team.id)) return;
    const parent = rest.get(team.parent);
    if (parent) place(parent);
    sorted.push(team);
  };
  for (const team of teams) place(team);
  return sorted;
}

interface TeamsHere {
  teams: Map<string, string>;
  users: Map<string, string>;
  projects: Map<string, string>;
}

const teamKey = (parent: string, name: string) => `${parent} ${name.toLowerCase()}`;

async function readHere(target: MoveTarget): Promise<TeamsHere> {
  const path = { deploymentId: target.deployment.id };
  const here: TeamsHere = { teams: new Map(), users: new Map(), projects: new Map() };
  let cursor = '';
  do {
    const body = { limit: String(PAGE), cursor };
    const page = await target.call('the list of teams', ({ teams }) => teams.listDeploymentTeams({ path, body }));
    for (const team of page.body.teams) here.teams.set(teamKey(team.parentTeamId, team.name), team.id);
    cursor = page.body.cursor ?? '';
  } while (cursor !== '');
  const users = await target.call('the list of users', ({ deployments }) => deployments.getDeploymentUsers({ path }));
  for (const { id, email } of users.body.users) here.users.set(email.toLowerCase(), id);
  for (let page = 0, count = 1000; count === 1000; page++) {
    const listed = await target.call('the list of projects', ({ projects }) =>
      projects.listProjects({ path: { deploymentSlug: target.deployment.slug }, query: { page, page_size: 1000 } }),
    );
    for (const { id, name } of listed.body.projects) here.projects.set(name.toLowerCase(), String(id));
    count = listed.body.projects.length;
  }
  return here;
}

interface TeamToSave extends Pick<OtherTeam, 'name'> {
  members: { userId: string; role: TeamRoleOfMember }[];
  projects: string[];
}

async function saveTeam(
  { target, tally }: OrganizationMove,
  { name, members, projects }: TeamToSave,
  { parentHere, teams }: { parentHere: string; teams: Map<string, string> },
): Promise<string | undefined> {
  const path = { deploymentId: target.deployment.id };
  let id = teams.get(teamKey(parentHere, name));
  if (id === undefined) {
    const team = { name, ...(parentHere !== '0' && { parentTeamId: parentHere }) };
    const reply = await target.try((clients) => clients.teams.createDeploymentTeam({ path, body: { team } }));
    if (reply.status !== 200) {
      tally.fail(`team ${name}: ${problemOf(reply)}`);
      return undefined;
    }
    id = reply.body.team.id;
  }
  const teamPath = { ...path, teamId: id };
  const action = 'UPDATE_ACTION_ADD' as const;
  const most = Math.max(members.length, projects.length);
  for (let at = 0; at < most; at += MAX_TEAM_LIST_ENTRIES) {
    const end = at + MAX_TEAM_LIST_ENTRIES;
    const team = {
      users: members.slice(at, end).map((member) => ({ ...member, action })),
      repositories: projects.slice(at, end).map((repositoryId) => ({ repositoryId, action })),
    };
    const reply = await target.try((clients) => clients.teams.updateDeploymentTeam({ path: teamPath, body: { team } }));
    if (reply.status !== 200) tally.fail(`members and projects of the team ${name}: ${problemOf(reply)}`);
  }
  tally.carry('teams');
  tally.carry('members of teams', members.length);
  return id;
}
