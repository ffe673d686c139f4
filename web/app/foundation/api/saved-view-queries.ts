import { queryOptions } from '@tanstack/react-query';
import { savedViews } from '#web/foundation/api/services.ts';

export type SavedView = Awaited<ReturnType<typeof savedViews.listSavedViews>>['views'][number];

/** The first views that the person can see: own and shared ones. */
export const savedViewsQuery = (deployment: string) =>
  queryOptions({
    queryKey: [deployment, 'saved-views'],
    queryFn: async ({ signal }) =>
      (await savedViews.listSavedViews({ path: { deployment }, query: { limit: '200' } }, { signal })).views,
    staleTime: 60_000,
  });
