import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useOrg } from '#web/foundation/session/org.ts';
import { issueQuery } from '../model/queries.ts';
import { idAtOffset } from './inbox-tabs.ts';

/** Prefetches the finding after the cursor, so that moving on shows it at once. */
export function usePrefetchNext(ids: readonly string[], current: string | undefined): void {
  const { id } = useOrg();
  const queryClient = useQueryClient();
  const next = idAtOffset(ids, current, 1);
  useEffect(() => {
    if (next !== undefined && next !== current) void queryClient.prefetchQuery(issueQuery(id, next));
  }, [id, next, current, queryClient]);
}
