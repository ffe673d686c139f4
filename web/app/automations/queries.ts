import { queryOptions } from '@tanstack/react-query';
import { automations, projects } from '#web/api/services.ts';

export const automationsQuery = (deploymentId: string) =>
  queryOptions({
    queryKey: [deploymentId, 'automations'],
    queryFn: async ({ signal }) =>
      (await automations.listAutomations({ path: { deploymentId } }, { signal })).automations,
  });

export type Stored = Awaited<ReturnType<typeof automations.listAutomations>>['automations'][number];

/** The names of projects by id, for the sentences. */
export const projectNamesQuery = (deploymentId: string, ids: readonly string[]) =>
  queryOptions({
    queryKey: [deploymentId, 'project-names', [...ids].sort()],
    enabled: ids.length > 0,
    queryFn: async ({ signal }) => {
      const body = { filters: { ids: [...ids] }, limit: '1000', cursor: '' };
      const { repos } = await projects.searchRepos({ path: { deploymentId }, body: body as never }, { signal });
      return new Map(repos.map(({ id, name }) => [String(id), name]));
    },
    staleTime: 5 * 60_000,
  });
