import { queryOptions } from '@tanstack/react-query';
import { reports } from '#web/foundation/api/services.ts';
import { overviewRequest } from './overview.ts';
import type { OverviewSearch } from './search.ts';

export const OVERVIEW_OPERATION = 'ReportsService_GetOverview';

export type Overview = Awaited<ReturnType<typeof reports.getOverview>>;

/** The overview for a URL's parameters; refetched on live events. */
export function overviewQuery(deploymentId: string, search: OverviewSearch, now: Date) {
  const body = overviewRequest(search, now);
  return queryOptions({
    queryKey: [deploymentId, 'counts', 'overview', body],
    queryFn: ({ signal }) => reports.getOverview({ path: { deploymentId }, body }, { signal }),
    placeholderData: (before) => before,
  });
}
