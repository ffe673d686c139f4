import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useOrg } from '#web/foundation/session/org.ts';
import type { InboxTab } from './inbox-tabs.ts';
import { approvalsQuery, assignedQuery, expiringQuery, reviewQuery } from './queries.ts';

/** The ids of the findings of a tab, in order. */
export function useInboxIds(tab: InboxTab): string[] {
  const { id } = useOrg();
  const review = useInfiniteQuery({ ...reviewQuery(id), enabled: tab === 'review' }).data;
  const assigned = useInfiniteQuery({ ...assignedQuery(id), enabled: tab === 'assigned' }).data;
  const approvals = useInfiniteQuery({ ...approvalsQuery(id), enabled: tab === 'approvals' }).data;
  const expiring = useQuery({ ...expiringQuery(id), enabled: tab === 'expiring' }).data;
  const items = {
    review: review?.pages.flatMap(({ issues }) => issues),
    assigned: assigned?.pages.flatMap(({ issues }) => issues),
    approvals: approvals?.pages.flatMap(({ requests }) => requests),
    expiring: expiring?.decisions,
    failing: [],
    notices: [],
  }[tab];
  return (items ?? []).map(({ issueId }) => issueId);
}
