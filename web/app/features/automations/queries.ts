import { queryOptions } from '@tanstack/react-query';
import { automations } from '#web/foundation/api/services.ts';

export const automationsQuery = (deploymentId: string) =>
  queryOptions({
    queryKey: [deploymentId, 'automations'],
    queryFn: async ({ signal }) =>
      (await automations.listAutomations({ path: { deploymentId } }, { signal })).automations,
  });

export type StoredAutomation = Awaited<ReturnType<typeof automations.listAutomations>>['automations'][number];
