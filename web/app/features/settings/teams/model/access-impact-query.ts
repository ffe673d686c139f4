import { queryOptions } from '@tanstack/react-query';
import { type AccessImpact, accessImpactOf, reachableTeams } from './access-impact.ts';
import { fetchPeople, listTeamMembers, listTeamProjects, type Team } from './queries.ts';
import type { TeamState } from './team-edits.ts';
import { ancestorsOf } from './team-tree.ts';

/** Above these limits the calculation would take too long. */
const MAX_TEAMS = 60;
const MAX_PEOPLE = 2000;

export interface AccessImpactResult {
  effects: AccessImpact[];
  names: ReadonlyMap<string, string>;
}

interface TeamChange {
  deploymentId: string;
  teamId: string;
  teams: readonly Team[];
  before: TeamState;
  after: TeamState;
}

async function calculate(change: TeamChange, signal: AbortSignal): Promise<AccessImpactResult | undefined> {
  const { deploymentId, teamId, teams, before, after } = change;
  // Members of parent teams also have access to this team.
  const above = await Promise.all(
    ancestorsOf(teamId, teams).map((id) => listTeamMembers({ deploymentId, teamId: id }, signal)),
  );
  const ids = new Set([...before.people.keys(), ...after.people.keys(), ...above.flat().map(({ userId }) => userId)]);
  if (ids.size > MAX_PEOPLE) return undefined;
  const found = ids.size === 0 ? [] : await fetchPeople(deploymentId, [...ids], signal);
  const parents = new Map<string, string>(teams.map(({ id, parentTeamId }) => [id, parentTeamId]));
  const people = found.map(({ id, orgRole, groups }) => ({
    id,
    isAdmin: orgRole === 'ORG_ROLE_ADMIN',
    teams: groups.map(({ group }) => group.id),
  }));
  const restricted = people.filter(({ isAdmin }) => !isAdmin);
  const reached = reachableTeams([teamId, ...restricted.flatMap((person) => person.teams)], parents);
  reached.delete(teamId);
  if (reached.size > MAX_TEAMS) return undefined;
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

/** Who gains or loses access by a change; null if there are too many people or teams to calculate it. */
export const accessImpactQuery = (change: TeamChange) =>
  queryOptions({
    queryKey: [
      change.deploymentId,
      'settings',
      'effects',
      change.teamId,
      [...change.after.people.keys()],
      [...change.after.projects],
    ],
    queryFn: async ({ signal }) => (await calculate(change, signal)) ?? null,
    gcTime: 0,
    staleTime: 0,
  });
