import { queryOptions } from '@tanstack/react-query';
import { issues } from '#web/api/services.ts';
import { EVERYTHING, viewOf } from '#web/query/view.ts';

/** Whether there is any finding at all, in whatever state. */
export const anyQuery = (deploymentId: string) =>
  queryOptions({
    queryKey: [deploymentId, 'counts', 'any'],
    queryFn: async ({ signal }) => {
      const body = { q: viewOf(EVERYTHING).q, keys: ['type' as const], includeWorkflows: true };
      return (await issues.getIssueFacets({ path: { deploymentId }, body }, { signal })).total !== '0';
    },
  });
