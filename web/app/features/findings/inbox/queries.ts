import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { inbox } from '#web/foundation/api/services.ts';
import { withoutDone } from './done-ids.ts';

const PAGE_SIZE = '50';

type InboxReply<Name extends keyof typeof inbox> = Awaited<ReturnType<(typeof inbox)[Name]>>;

export type InboxTabName = InboxReply<'getInbox'>['tabs'][number]['tab'];
export type ReviewPage = InboxReply<'listReview'>;
export type ReviewItem = ReviewPage['issues'][number];
export type ApprovalRequest = InboxReply<'listApprovals'>['requests'][number];
export type ExpiringDecision = InboxReply<'getExpiring'>['decisions'][number];
export type FailingItems = InboxReply<'getFailing'>;

/** The count of each tab. */
export const inboxTabsQuery = (deployment: string) =>
  queryOptions({
    queryKey: [deployment, 'counts', 'inbox'],
    queryFn: async ({ signal }) => (await inbox.getInbox({ path: { deployment } }, { signal })).tabs,
  });

/** New or reopened findings that the person has not reviewed; not refetched while they work through the list. */
export const reviewQuery = (deployment: string) =>
  infiniteQueryOptions({
    queryKey: [deployment, 'inbox', 'review'],
    queryFn: ({ pageParam: cursor, signal }) =>
      inbox.listReview({ path: { deployment }, query: { limit: PAGE_SIZE, cursor } }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ cursor }) => (cursor === undefined || cursor === '' ? undefined : cursor),
    refetchOnWindowFocus: false,
    select: withoutDone,
  });

/** What is assigned to the person. */
export const assignedQuery = (deployment: string) =>
  infiniteQueryOptions({
    queryKey: [deployment, 'inbox', 'assigned'],
    queryFn: ({ pageParam: cursor, signal }) =>
      inbox.listAssigned({ path: { deployment }, query: { limit: PAGE_SIZE, cursor } }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ cursor }) => (cursor === undefined || cursor === '' ? undefined : cursor),
    refetchOnWindowFocus: false,
  });

/** Requests to ignore findings, oldest first. */
export const approvalsQuery = (deployment: string) =>
  infiniteQueryOptions({
    queryKey: [deployment, 'inbox', 'approvals'],
    queryFn: ({ pageParam: cursor, signal }) =>
      inbox.listApprovals({ path: { deployment }, query: { limit: PAGE_SIZE, cursor } }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ cursor }) => (cursor === undefined || cursor === '' ? undefined : cursor),
    refetchOnWindowFocus: false,
  });

export const expiringQuery = (deployment: string) =>
  queryOptions({
    queryKey: [deployment, 'inbox', 'expiring'],
    queryFn: ({ signal }) => inbox.getExpiring({ path: { deployment } }, { signal }),
  });

export const failingQuery = (deployment: string) =>
  queryOptions({
    queryKey: [deployment, 'inbox', 'failing'],
    queryFn: ({ signal }) => inbox.getFailing({ path: { deployment } }, { signal }),
  });
