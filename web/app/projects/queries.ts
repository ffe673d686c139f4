import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { projects, scans } from '#web/api/services.ts';

const PAGE = 50;

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
  });

export const repoQuery = (deploymentId: string, projectId: string) =>
  queryOptions({
    queryKey: [deploymentId, 'project', projectId],
    queryFn: async ({ signal }) =>
      (await projects.getRepo({ path: { deploymentId, idOrName: projectId } }, { signal })).repo,
  });

export type Repository = Awaited<ReturnType<typeof projects.getRepo>>['repo'];

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

export type Scan = Awaited<ReturnType<typeof scans.getScan>>['scan'];
