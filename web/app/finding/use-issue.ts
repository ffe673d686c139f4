import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { LiveEvent } from '#web/api/take-events.ts';
import { useOrg } from '#web/org/org.ts';
import { useEvents } from '#web/shell/live.ts';
import { issueQuery } from './queries.ts';

/** A finding as it is now: what others decide, or scans find, is asked for when it is heard of. */
export function useIssue(issueId: string) {
  const { id } = useOrg();
  const queryClient = useQueryClient();
  useEvents(
    useCallback(
      ({ type }: LiveEvent) => {
        if (type === 'findings.triaged' || type === 'scan.completed')
          void queryClient.invalidateQueries({ queryKey: [id, 'issue', issueId] });
      },
      [id, issueId, queryClient],
    ),
  );
  return useQuery(issueQuery(id, issueId));
}
