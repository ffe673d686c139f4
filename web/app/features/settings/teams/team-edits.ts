/** What a team is made of, as far as one change can touch it. */
export interface TeamState {
  name: string;
  /** The role of each person in the team. */
  people: ReadonlyMap<string, string>;
  projects: ReadonlySet<string>;
}

/** Changes that are not sent yet. They are kept apart from what is there, so that they survive a change of it. */
export interface TeamEdits {
  name: string | undefined;
  /** The role a person shall have; none when they shall go. */
  people: ReadonlyMap<string, string | undefined>;
  /** Whether a project shall belong to the team. */
  projects: ReadonlyMap<string, boolean>;
}

export const NO_EDITS: TeamEdits = { name: undefined, people: new Map(), projects: new Map() };

const put = <Key, Value>(map: ReadonlyMap<Key, Value>, key: Key, value: Value): ReadonlyMap<Key, Value> =>
  new Map([...map, [key, value]]);

export const withName = (staged: TeamEdits, name: string): TeamEdits => ({ ...staged, name });
export const withPerson = (staged: TeamEdits, id: string, role: string | undefined): TeamEdits => ({
  ...staged,
  people: put(staged.people, id, role),
});
export const withProject = (staged: TeamEdits, id: string, isIn: boolean): TeamEdits => ({
  ...staged,
  projects: put(staged.projects, id, isIn),
});

/** The team with the changes made. */
export function applyEdits(base: TeamState, staged: TeamEdits): TeamState {
  const people = new Map(base.people);
  for (const [id, role] of staged.people)
    if (role === undefined) people.delete(id);
    else people.set(id, role);
  const projects = new Set(base.projects);
  for (const [id, isIn] of staged.projects)
    if (isIn) projects.add(id);
    else projects.delete(id);
  return { name: staged.name ?? base.name, people, projects };
}

export interface TeamDiff {
  /** The new name, where it changes. */
  name: string | undefined;
  peopleAdded: { id: string; role: string }[];
  peopleRemoved: string[];
  rolesChanged: { id: string; before: string; after: string }[];
  projectsAdded: string[];
  projectsRemoved: string[];
}

export function diffTeams(before: TeamState, after: TeamState): TeamDiff {
  const people = [...after.people].map(([id, role]) => ({ id, role, was: before.people.get(id) }));
  return {
    name: before.name === after.name ? undefined : after.name,
    peopleAdded: people.filter(({ was }) => was === undefined).map(({ id, role }) => ({ id, role })),
    peopleRemoved: [...before.people.keys()].filter((id) => !after.people.has(id)),
    rolesChanged: people.flatMap(({ id, role, was }) =>
      was === undefined || was === role ? [] : [{ id, before: was, after: role }],
    ),
    projectsAdded: [...after.projects].filter((id) => !before.projects.has(id)),
    projectsRemoved: [...before.projects].filter((id) => !after.projects.has(id)),
  };
}

export function countChanges({ name, ...lists }: TeamDiff): number {
  return Object.values(lists).reduce((sum, list) => sum + list.length, name === undefined ? 0 : 1);
}

type Role = 'TEAM_ROLE_MEMBER' | 'TEAM_ROLE_MANAGER' | 'TEAM_ROLE_READONLY';
type Action = 'UPDATE_ACTION_ADD' | 'UPDATE_ACTION_UPDATE' | 'UPDATE_ACTION_REMOVE';

/** The one PATCH that makes the difference; lists that stay are left out. */
export function updateTeamBody(difference: TeamDiff) {
  const users = [
    ...difference.peopleAdded.map(({ id, role }) => entry(id, 'UPDATE_ACTION_ADD', role)),
    ...difference.rolesChanged.map(({ id, after }) => entry(id, 'UPDATE_ACTION_UPDATE', after)),
    ...difference.peopleRemoved.map((id) => entry(id, 'UPDATE_ACTION_REMOVE')),
  ];
  const repositories = [
    ...difference.projectsAdded.map((repositoryId) => ({ repositoryId, action: 'UPDATE_ACTION_ADD' as Action })),
    ...difference.projectsRemoved.map((repositoryId) => ({ repositoryId, action: 'UPDATE_ACTION_REMOVE' as Action })),
  ];
  return {
    team: {
      ...(difference.name === undefined ? {} : { name: difference.name.trim() }),
      ...(users.length === 0 ? {} : { users }),
      ...(repositories.length === 0 ? {} : { repositories }),
    },
  };
}

const entry = (userId: string, action: Action, role?: string) => ({
  userId,
  action,
  ...(role === undefined ? {} : { role: role as Role }),
});
