import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { chunk } from '#web/foundation/api/chunks.ts';
import { deployments, teams } from '#web/foundation/api/services.ts';
import { readWithVersion } from '../../parts/etag.ts';
import type { TeamState } from './team-edits.ts';

export type Team = Awaited<ReturnType<typeof teams.getDeploymentTeam>>['team'];

const PAGE_SIZE = '1000';
const MAX_PEOPLE_PER_REQUEST = 1000;

export const teamsKey = (deploymentId: string) => [deploymentId, 'settings', 'teams'];

export const teamsQuery = (deploymentId: string) =>
  infiniteQueryOptions({
    queryKey: teamsKey(deploymentId),
    queryFn: ({ pageParam, signal }) =>
      teams.listDeploymentTeams({ path: { deploymentId }, body: { limit: PAGE_SIZE, cursor: pageParam } }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ cursor }) => (cursor === '' ? undefined : cursor),
  });

/** Reads all pages of a list, one after the other. */
async function allPages<Item>(read: (cursor: string) => Promise<{ items: Item[]; cursor: string }>): Promise<Item[]> {
  const all: Item[] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const page: { items: Item[]; cursor: string } = await read(cursor);
    all.push(...page.items);
    cursor = page.cursor === '' ? undefined : page.cursor;
  }
  return all;
}

interface TeamPath {
  deploymentId: string;
  teamId: string;
}

export const listTeamMembers = (path: TeamPath, signal: AbortSignal) =>
  allPages(async (cursor) => {
    const page = await teams.listTeamUsers({ path, query: { limit: PAGE_SIZE, cursor } }, { signal });
    return { items: page.users, cursor: page.cursor ?? '' };
  });

export const listTeamProjects = (path: TeamPath, signal: AbortSignal) =>
  allPages(async (cursor) => {
    const page = await teams.listTeamRepos({ path, query: { limit: PAGE_SIZE, cursor } }, { signal });
    return { items: page.repositoryIds, cursor: page.cursor ?? '' };
  });

export interface LoadedTeam {
  team: Team;
  version: string;
  state: TeamState;
}

/** A team with its members and projects. The version is read first, so that a concurrent change is detected. */
export const teamQuery = (path: TeamPath) =>
  queryOptions({
    queryKey: [path.deploymentId, 'settings', 'team', path.teamId],
    queryFn: async ({ signal }): Promise<LoadedTeam> => {
      const { answer, version } = await readWithVersion(
        (options) => teams.getDeploymentTeam({ path }, options),
        signal,
      );
      const [members, repositoryIds] = await Promise.all([
        listTeamMembers(path, signal),
        listTeamProjects(path, signal),
      ]);
      const people = new Map(members.map(({ userId, role }) => [userId as string, role as string]));
      const state = { name: answer.team.name, people, projects: new Set<string>(repositoryIds) };
      return { team: answer.team, version, state };
    },
    // Do not refetch while the user edits; saving detects concurrent changes.
    refetchOnWindowFocus: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

export async function fetchPeople(deploymentId: string, ids: readonly string[], signal: AbortSignal) {
  const pages = await Promise.all(
    chunk(ids, MAX_PEOPLE_PER_REQUEST).map((memberIds) =>
      deployments.listDeploymentUsers(
        { path: { deploymentId }, body: { options: { pageSize: MAX_PEOPLE_PER_REQUEST }, filters: { memberIds } } },
        { signal },
      ),
    ),
  );
  return pages.flatMap((page) => page.users);
}

/** People by id. */
export const peopleByIdQuery = (deploymentId: string, ids: readonly string[]) =>
  queryOptions({
    queryKey: [deploymentId, 'settings', 'people-by-id', ids],
    queryFn: async ({ signal }) => {
      const people = await fetchPeople(deploymentId, ids, signal);
      return new Map(people.map((person) => [person.id, person]));
    },
  });
