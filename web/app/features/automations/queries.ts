import { queryOptions } from '@tanstack/react-query';
import { automationRuns, automations } from '#web/foundation/api/services.ts';

export const automationsQuery = (deploymentId: string) =>
  queryOptions({
    queryKey: [deploymentId, 'automations'],
    queryFn: async ({ signal }) =>
      (await automations.listAutomations({ path: { deploymentId } }, { signal })).automations,
  });

export type StoredAutomation = Awaited<ReturnType<typeof automations.listAutomations>>['automations'][number];

/** What automations did in the last seven days. */
export const activitiesQuery = (deploymentId: string) =>
  queryOptions({
    queryKey: [deploymentId, 'automations', 'activity'],
    queryFn: async ({ signal }) =>
      (await automationRuns.listAutomationActivity({ path: { deploymentId } }, { signal })).activities,
  });

export type ActivityOfAutomation = Awaited<
  ReturnType<typeof automationRuns.listAutomationActivity>
>['activities'][number];
