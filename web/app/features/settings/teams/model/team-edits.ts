/** The editable part of a team. */
export interface TeamState {
  name: string;
  /** The team role by user id. */
  people: ReadonlyMap<string, string>;
  projects: ReadonlySet<string>;
}

/** Unsaved changes, kept apart from the loaded team so that they survive a reload of it. */
export interface TeamEdits {
  name: string | undefined;
  /** The new role by user id; undefined to remove the person. */
  people: ReadonlyMap<string, string | undefined>;
  /** Whether the project is added or removed, by id. */
  projects: ReadonlyMap<string, boolean>;
}

export const NO_EDITS: TeamEdits = { name: undefined, people: new Map(), projects: new Map() };

const withEntry = <Key, Value>(map: ReadonlyMap<Key, Value>, key: Key, value: Value): ReadonlyMap<Key, Value> =>
  new Map([...map, [key, value]]);

export const withName = (edits: TeamEdits, name: string): TeamEdits => ({ ...edits, name });
export const withPerson = (edits: TeamEdits, id: string, role: string | undefined): TeamEdits => ({
  ...edits,
  people: withEntry(edits.people, id, role),
});
export const withProject = (edits: TeamEdits, id: string, isIn: boolean): TeamEdits => ({
  ...edits,
  projects: withEntry(edits.projects, id, isIn),
});

/** The team after the edits. */
export function applyEdits(base: TeamState, edits: TeamEdits): TeamState {
  const people = new Map(base.people);
  for (const [id, role] of edits.people)
    if (role === undefined) people.delete(id);
    else people.set(id, role);
  const projects = new Set(base.projects);
  for (const [id, isIn] of edits.projects)
    if (isIn) projects.add(id);
    else projects.delete(id);
  return { name: edits.name ?? base.name, people, projects };
}

export interface TeamDiff {
  /** The new name, if it changes. */
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

type TeamRole = 'TEAM_ROLE_MEMBER' | 'TEAM_ROLE_MANAGER' | 'TEAM_ROLE_READONLY';
type Action = 'UPDATE_ACTION_ADD' | 'UPDATE_ACTION_UPDATE' | 'UPDATE_ACTION_REMOVE';

/** The PATCH body for the differences; unchanged lists are omitted. */
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
  ...(role === undefined ? {} : { role: role as TeamRole }),
});
