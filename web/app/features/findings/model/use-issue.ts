import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useLiveEventListener } from '#web/foundation/events/live-events.ts';
import type { LiveEvent } from '#web/foundation/events/parse-events.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { issueQuery } from './queries.ts';

/** A finding that is refetched on live events of triage and scans. */
export function useIssue(issueId: string) {
  const { id } = useOrg();
  const queryClient = useQueryClient();
  useLiveEventListener(
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
