import { QueryClient } from '@tanstack/react-query';
import { asProblem, isOutage, RECOVERY_INTERVAL_MS } from './problem.ts';

/**
 * Shows cached data while it is refetched, and retries only network errors, 429 and 5xx. After an outage, pages recover
 * by themselves.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      gcTime: 5 * 60_000,
      refetchOnWindowFocus: true,
      refetchInterval: ({ state: { error } }) => (error && isOutage(error) ? RECOVERY_INTERVAL_MS : false),
      retry: (failures, error) => {
        const { status } = asProblem(error).body;
        return failures < 2 && (status === 0 || status === 429 || status >= 500);
      },
    },
  },
});
