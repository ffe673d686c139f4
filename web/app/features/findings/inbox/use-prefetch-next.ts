import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { issueQuery } from '#web/features/findings/model/queries.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { idAtOffset } from './inbox-tabs.ts';

/** Asks for the finding after the chosen one, so that going on shows it at once. */
export function usePrefetchNext(ids: readonly string[], chosen: string | undefined): void {
  const { id } = useOrg();
  const queryClient = useQueryClient();
  const next = idAtOffset(ids, chosen, 1);
  useEffect(() => {
    if (next !== undefined && next !== chosen) void queryClient.prefetchQuery(issueQuery(id, next));
  }, [id, next, chosen, queryClient]);
}
