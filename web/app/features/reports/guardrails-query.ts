import { queryOptions } from '@tanstack/react-query';
import { reports } from '#web/foundation/api/services.ts';
import { ALL_TIME, guardrailsRequest } from './guardrails.ts';
import type { GuardrailsSearch } from './search.ts';

export const GUARDRAILS_OPERATION = 'ReportsService_GetGuardrailsActivityReport';

/** The report for a URL's parameters; refetched on live events. */
export function guardrailsQuery(deploymentId: string, search: GuardrailsSearch, now: Date) {
  const body = guardrailsRequest(search, now);
  return queryOptions({
    queryKey: [deploymentId, 'counts', 'guardrails', body],
    queryFn: ({ signal }) =>
      reports.getGuardrailsActivityReport({ path: { deploymentId }, body: body as never }, { signal }),
    placeholderData: (before) => before,
  });
}

/** The same report counted in findings, for those that appeared more than once. */
export function guardrailsFindingsQuery(deploymentId: string, search: GuardrailsSearch, now: Date) {
  const body = guardrailsRequest(search, now);
  return queryOptions({
    queryKey: [deploymentId, 'counts', 'guardrails-findings', body],
    queryFn: ({ signal }) => reports.getGuardrailsFindings({ path: { deploymentId }, body: body as never }, { signal }),
    placeholderData: (before) => before,
  });
}

/** The start of the oldest bucket with activity in the longest period. */
export const oldestActivityQuery = (deploymentId: string, now: Date) =>
  queryOptions({
    ...guardrailsQuery(deploymentId, { since: ALL_TIME, bucket: 'month' }, now),
    select: ({ buckets }) =>
      buckets.find(({ timePeriod: _, ...counts }) => Object.values(counts).some((count) => count > 0))?.timePeriod
        .since,
  });
