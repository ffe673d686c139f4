export interface TeamNode {
  id: string;
  name: string;
  parentTeamId: string;
}

export interface TeamTreeRow<Team> {
  team: Team;
  /** 1 for top-level teams. */
  level: number;
}

/** Lists each team after its parent, in the given order; a team whose parent is not visible is top-level. */
export function flattenTree<Team extends TeamNode>(teams: readonly Team[]): TeamTreeRow<Team>[] {
  const known = new Set(teams.map(({ id }) => id));
  const children = Map.groupBy(teams, ({ parentTeamId }) => (known.has(parentTeamId) ? parentTeamId : ''));
  const under = (parent: string, level: number): TeamTreeRow<Team>[] =>
    (children.get(parent) ?? []).flatMap((team) => [{ team, level }, ...under(team.id, level + 1)]);
  return under('', 1);
}

/** The ids of the ancestors of a team, nearest first. */
export function ancestorsOf(id: string, teams: readonly TeamNode[]): string[] {
  const parents = new Map(teams.map((team) => [team.id, team.parentTeamId]));
  const ancestors: string[] = [];
  for (let next = parents.get(id); next !== undefined && parents.has(next); next = parents.get(next))
    ancestors.push(next);
  return ancestors;
}

/** The teams whose name contains the text, with their ancestors. */
export function filterTeams<Team extends TeamNode>(teams: readonly Team[], text: string): Team[] {
  const searchText = text.trim().toLowerCase();
  if (searchText === '') return [...teams];
  const found = teams.filter(({ name }) => name.toLowerCase().includes(searchText));
  const shown = new Set(found.flatMap(({ id }) => [id, ...ancestorsOf(id, teams)]));
  return teams.filter(({ id }) => shown.has(id));
}
