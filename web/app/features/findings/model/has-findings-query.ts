import { queryOptions } from '@tanstack/react-query';
import { issues } from '#web/foundation/api/services.ts';
import { ALL_STATES_Q, parseFilterView } from '#web/ui/filter/filter-view.ts';

/** Whether there is any finding in any state. */
export const hasFindingsQuery = (deploymentId: string) =>
  queryOptions({
    queryKey: [deploymentId, 'counts', 'any'],
    queryFn: async ({ signal }) => {
      const body = { q: parseFilterView(ALL_STATES_Q).q, keys: ['type' as const], includeWorkflows: true };
      return (await issues.getIssueFacets({ path: { deploymentId }, body }, { signal })).total !== '0';
    },
  });
