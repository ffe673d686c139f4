import type { TeamState } from './team-edits.ts';

export interface MemberAccess {
  id: string;
  /** Administrators see everything, regardless of their teams. */
  isAdmin: boolean;
  /** The current teams of the person. */
  teams: readonly string[];
}

export interface AccessImpactInput {
  teamId: string;
  before: TeamState;
  after: TeamState;
  people: readonly MemberAccess[];
  /** The parent of each team. */
  parents: ReadonlyMap<string, string>;
  /** The projects of every relevant team except the edited one. */
  projectsOf: ReadonlyMap<string, readonly string[]>;
}

export interface AccessImpact {
  personId: string;
  gains: string[];
  loses: string[];
}

/** The teams whose projects a person can see: their own and all descendants. */
export function reachableTeams(teams: Iterable<string>, parents: ReadonlyMap<string, string>): Set<string> {
  const memberships = new Set(teams);
  const reached = new Set(memberships);
  for (const team of parents.keys())
    for (let ancestor: string | undefined = team; ancestor !== undefined; ancestor = parents.get(ancestor))
      if (memberships.has(ancestor)) {
        reached.add(team);
        break;
      }
  return reached;
}

function visibleProjects(input: AccessImpactInput, state: TeamState, teams: Iterable<string>): Set<string> {
  const reached = [...reachableTeams(teams, input.parents)];
  return new Set(
    reached.flatMap((team) => (team === input.teamId ? [...state.projects] : (input.projectsOf.get(team) ?? []))),
  );
}

const isIn = (state: TeamState, { id }: MemberAccess) => state.people.has(id);

/** Who gains or loses access to which projects; access through another team is taken into account. */
export function accessImpactOf(input: AccessImpactInput): AccessImpact[] {
  return input.people.flatMap((person) => {
    if (person.isAdmin) return [];
    const otherTeams = person.teams.filter((team) => team !== input.teamId);
    const teamsIn = (state: TeamState) => (isIn(state, person) ? [...otherTeams, input.teamId] : otherTeams);
    const before = visibleProjects(input, input.before, teamsIn(input.before));
    const after = visibleProjects(input, input.after, teamsIn(input.after));
    const gains = [...after].filter((project) => !before.has(project));
    const loses = [...before].filter((project) => !after.has(project));
    return gains.length + loses.length === 0 ? [] : [{ personId: person.id, gains, loses }];
  });
}
