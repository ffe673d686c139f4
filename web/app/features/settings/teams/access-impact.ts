import type { TeamState } from './team-edits.ts';

export interface MemberAccess {
  id: string;
  /** Administrators see everything, in whichever teams they are. */
  seesEverything: boolean;
  /** The teams that the person is in now. */
  teams: readonly string[];
}

export interface AccessImpactInput {
  teamId: string;
  before: TeamState;
  after: TeamState;
  people: readonly MemberAccess[];
  /** The team above each team. */
  parents: ReadonlyMap<string, string>;
  /** The projects of each team that matters but the one that is changed. */
  projectsOf: ReadonlyMap<string, readonly string[]>;
}

export interface AccessImpact {
  personId: string;
  gains: string[];
  loses: string[];
}

/** The teams that somebody reaches: their own and all below them. */
export function reachableTeams(teams: Iterable<string>, parents: ReadonlyMap<string, string>): Set<string> {
  const own = new Set(teams);
  const reached = new Set(own);
  for (const team of parents.keys())
    for (let above: string | undefined = team; above !== undefined; above = parents.get(above))
      if (own.has(above)) {
        reached.add(team);
        break;
      }
  return reached;
}

function seen(scene: AccessImpactInput, state: TeamState, teams: Iterable<string>): Set<string> {
  const reached = [...reachableTeams(teams, scene.parents)];
  return new Set(
    reached.flatMap((team) => (team === scene.teamId ? [...state.projects] : (scene.projectsOf.get(team) ?? []))),
  );
}

const isIn = (state: TeamState, { id }: MemberAccess) => state.people.has(id);

/** Who gains or loses sight of which projects; what another team gives anyway is no change. */
export function accessImpactOf(scene: AccessImpactInput): AccessImpact[] {
  return scene.people.flatMap((person) => {
    if (person.seesEverything) return [];
    const others = person.teams.filter((team) => team !== scene.teamId);
    const teamsIn = (state: TeamState) => (isIn(state, person) ? [...others, scene.teamId] : others);
    const before = seen(scene, scene.before, teamsIn(scene.before));
    const after = seen(scene, scene.after, teamsIn(scene.after));
    const gains = [...after].filter((project) => !before.has(project));
    const loses = [...before].filter((project) => !after.has(project));
    return gains.length + loses.length === 0 ? [] : [{ personId: person.id, gains, loses }];
  });
}
