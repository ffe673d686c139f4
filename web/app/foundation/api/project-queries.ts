import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { projects, scans } from '#web/foundation/api/services.ts';
import { chunk } from './chunks.ts';

const PAGE_SIZE = 50;
const MAX_NAMES = 1000;

export const reposQuery = (deploymentId: string, search: string) =>
  infiniteQueryOptions({
    queryKey: [deploymentId, 'projects', search],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      projects.searchRepos(
        {
          path: { deploymentId },
          body: { limit: String(PAGE_SIZE), cursor: pageParam, ...(search === '' ? {} : { filters: { search } }) },
        },
        { signal },
      ),
    getNextPageParam: ({ cursor }) => (cursor ? cursor : undefined),
    placeholderData: keepPreviousData,
  });

/** The first projects whose names contain the text. */
export const findProjects = async (deploymentId: string, search: string, signal: AbortSignal) => {
  const body = { limit: String(PAGE_SIZE), ...(search === '' ? {} : { filters: { search } }) };
  return (await projects.searchRepos({ path: { deploymentId }, body }, { signal })).repos;
};

/** The name of some project; null if there is none. */
export const firstProjectQuery = (deploymentId: string) =>
  queryOptions({
    queryKey: [deploymentId, 'projects', 'first'],
    queryFn: async ({ signal }) => {
      const { repos } = await projects.searchRepos({ path: { deploymentId }, body: { limit: '1' } }, { signal });
      return repos[0]?.name ?? null;
    },
  });

/** The names of projects by id; an empty list sends no request. */
export const projectNamesQuery = (deploymentId: string, ids: readonly string[]) =>
  queryOptions({
    queryKey: [deploymentId, 'project-names', [...ids].sort()],
    queryFn: async ({ signal }) => {
      const pages = await Promise.all(
        chunk(ids, MAX_NAMES).map((idChunk) =>
          projects.searchRepos(
            { path: { deploymentId }, body: { limit: String(MAX_NAMES), filters: { ids: idChunk } } },
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
        { path: { deploymentId, projectId }, body: { cursor: pageParam, limit: String(PAGE_SIZE) } },
        { signal },
      ),
    getNextPageParam: ({ cursor }) => (cursor ? cursor : undefined),
  });

export const scanQuery = (deploymentId: string, scanId: string) =>
  queryOptions({
    queryKey: [deploymentId, 'scan', scanId],
    queryFn: async ({ signal }) => (await scans.getScan({ path: { deploymentId, scanId } }, { signal })).scan,
  });

/** The scans of a project whose closings wait for a decision. */
export const heldClosingsQuery = (deploymentId: string, projectId: string) =>
  queryOptions({
    queryKey: [deploymentId, 'held-closings', projectId],
    queryFn: async ({ signal }) =>
      (await scans.listHeldClosings({ path: { deploymentId, projectId } }, { signal })).scans,
  });

export type ProjectScan = Awaited<ReturnType<typeof scans.getScan>>['scan'];
