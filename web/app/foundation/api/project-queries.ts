import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { projects, scans } from '#web/foundation/api/services.ts';
import { chunk } from './chunks.ts';

const PAGE = 50;
const MOST_NAMES = 1000;

export const reposQuery = (deploymentId: string, search: string) =>
  infiniteQueryOptions({
    queryKey: [deploymentId, 'projects', search],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      projects.searchRepos(
        {
          path: { deploymentId },
          body: { limit: String(PAGE), cursor: pageParam, ...(search === '' ? {} : { filters: { search } }) },
        },
        { signal },
      ),
    getNextPageParam: ({ cursor }) => (cursor ? cursor : undefined),
    placeholderData: keepPreviousData,
  });

/** Some projects by a part of their names. */
export const findProjects = async (deploymentId: string, search: string, signal: AbortSignal) => {
  const body = { limit: String(PAGE), ...(search === '' ? {} : { filters: { search } }) };
  return (await projects.searchRepos({ path: { deploymentId }, body }, { signal })).repos;
};

/** The names of projects by their ids; an empty list asks nothing. */
export const projectNamesQuery = (deploymentId: string, ids: readonly string[]) =>
  queryOptions({
    queryKey: [deploymentId, 'project-names', [...ids].sort()],
    queryFn: async ({ signal }) => {
      const pages = await Promise.all(
        chunk(ids, MOST_NAMES).map((some) =>
          projects.searchRepos(
            { path: { deploymentId }, body: { limit: String(MOST_NAMES), filters: { ids: some } } },
            { signal },
          ),
        ),
      );
      return new Map<string, string>(pages.flatMap((page) => page.repos.map(({ id, name }) => [id, name] as const)));
    },
    staleTime: 5 * 60_000,
  });

export const repoQuery = (deploymentId: string, projectId: string) =>
  queryOptions({
    queryKey: [deploymentId, 'project', projectId],
    queryFn: async ({ signal }) =>
      (await projects.getRepo({ path: { deploymentId, idOrName: projectId } }, { signal })).repo,
  });

export type ProjectRepository = Awaited<ReturnType<typeof projects.getRepo>>['repo'];

export const scansQuery = (deploymentId: string, projectId: string) =>
  infiniteQueryOptions({
    queryKey: [deploymentId, 'scans', projectId],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      scans.listScans(
        { path: { deploymentId, projectId }, body: { cursor: pageParam, limit: String(PAGE) } },
        { signal },
      ),
    getNextPageParam: ({ cursor }) => (cursor ? cursor : undefined),
  });

export const scanQuery = (deploymentId: string, scanId: string) =>
  queryOptions({
    queryKey: [deploymentId, 'scan', scanId],
    queryFn: async ({ signal }) => (await scans.getScan({ path: { deploymentId, scanId } }, { signal })).scan,
  });

export type ProjectScan = Awaited<ReturnType<typeof scans.getScan>>['scan'];
