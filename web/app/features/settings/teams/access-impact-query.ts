import { queryOptions } from '@tanstack/react-query';
import { type AccessImpact, accessImpactOf, reachableTeams } from './access-impact.ts';
import { fetchPeople, listTeamMembers, listTeamProjects, type Team } from './queries.ts';
import type { TeamState } from './team-edits.ts';
import { ancestorsOf } from './team-tree.ts';

/** Beyond these the answer would take too long to wait for. */
const MOST_TEAMS = 60;
const MOST_PEOPLE = 2000;

export interface AccessImpactResult {
  effects: AccessImpact[];
  names: ReadonlyMap<string, string>;
}

interface Change {
  deploymentId: string;
  teamId: string;
  teams: readonly Team[];
  before: TeamState;
  after: TeamState;
}

async function find(change: Change, signal: AbortSignal): Promise<AccessImpactResult | undefined> {
  const { deploymentId, teamId, teams, before, after } = change;
  // Who is in a team above reaches this one too.
  const above = await Promise.all(
    ancestorsOf(teamId, teams).map((id) => listTeamMembers({ deploymentId, teamId: id }, signal)),
  );
  const ids = new Set([...before.people.keys(), ...after.people.keys(), ...above.flat().map(({ userId }) => userId)]);
  if (ids.size > MOST_PEOPLE) return undefined;
  const found = ids.size === 0 ? [] : await fetchPeople(deploymentId, [...ids], signal);
  const parents = new Map<string, string>(teams.map(({ id, parentTeamId }) => [id, parentTeamId]));
  const people = found.map(({ id, orgRole, groups }) => ({
    id,
    seesEverything: orgRole === 'ORG_ROLE_ADMIN',
    teams: groups.map(({ group }) => group.id),
  }));
  const bound = people.filter(({ seesEverything }) => !seesEverything);
  const reached = reachableTeams([teamId, ...bound.flatMap((person) => person.teams)], parents);
  reached.delete(teamId);
  if (reached.size > MOST_TEAMS) return undefined;
  const lists = await Promise.all(
    [...reached].map(async (id) => [id, await listTeamProjects({ deploymentId, teamId: id }, signal)] as const),
  );
  const effects = accessImpactOf({
    teamId,
    before,
    after,
    people,
    parents,
    projectsOf: new Map<string, string[]>(lists),
  });
  return { effects, names: new Map(found.map(({ id, name }) => [id, name])) };
}

/** Who gains or loses what by a change; null where there is too much to look through. */
export const accessImpactQuery = (change: Change) =>
  queryOptions({
    queryKey: [
      change.deploymentId,
      'settings',
      'effects',
      change.teamId,
      [...change.after.people.keys()],
      [...change.after.projects],
    ],
    queryFn: async ({ signal }) => (await find(change, signal)) ?? null,
    gcTime: 0,
    staleTime: 0,
  });
