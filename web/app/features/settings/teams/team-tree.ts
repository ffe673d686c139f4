export interface TeamNode {
  id: string;
  name: string;
  parentTeamId: string;
}

export interface TeamTreeRow<Team> {
  team: Team;
  /** 1 for a team of the organization itself. */
  level: number;
}

/** The teams with each under its parent, both in the order given; one whose parent is not there stands at the top. */
export function flattenTree<Team extends TeamNode>(teams: readonly Team[]): TeamTreeRow<Team>[] {
  const known = new Set(teams.map(({ id }) => id));
  const children = Map.groupBy(teams, ({ parentTeamId }) => (known.has(parentTeamId) ? parentTeamId : ''));
  const under = (parent: string, level: number): TeamTreeRow<Team>[] =>
    (children.get(parent) ?? []).flatMap((team) => [{ team, level }, ...under(team.id, level + 1)]);
  return under('', 1);
}

/** The ids of the teams above one, the nearest first. */
export function ancestorsOf(id: string, teams: readonly TeamNode[]): string[] {
  const parents = new Map(teams.map((team) => [team.id, team.parentTeamId]));
  const above: string[] = [];
  for (let next = parents.get(id); next !== undefined && parents.has(next); next = parents.get(next)) above.push(next);
  return above;
}

/** The teams whose name has the text, with those above them, so that one sees where they are. */
export function filterTeams<Team extends TeamNode>(teams: readonly Team[], text: string): Team[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return [...teams];
  const found = teams.filter(({ name }) => name.toLowerCase().includes(wanted));
  const shown = new Set(found.flatMap(({ id }) => [id, ...ancestorsOf(id, teams)]));
  return teams.filter(({ id }) => shown.has(id));
}
