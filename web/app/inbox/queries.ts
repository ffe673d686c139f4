import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { inbox } from './pending.ts';

const PAGE_SIZE = 50;

/** How much waits in each tab. */
export const tabsQuery = (deployment: string) =>
  queryOptions({
    queryKey: [deployment, 'counts', 'inbox'],
    queryFn: async ({ signal }) => (await inbox.getInbox({ path: { deployment } }, { signal })).tabs,
  });

/** New or reopened findings that this person has not looked at; the list stays as it is while it is worked through. */
export const reviewQuery = (deployment: string) =>
  infiniteQueryOptions({
    queryKey: [deployment, 'inbox', 'review'],
    queryFn: ({ pageParam: cursor, signal }) =>
      inbox.listReview({ path: { deployment }, query: { limit: PAGE_SIZE, cursor } }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ cursor }) => (cursor === undefined || cursor === '' ? undefined : cursor),
    refetchOnWindowFocus: false,
  });

/** Requests to ignore findings, the oldest first. */
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
    queryFn: ({ signal }) => inbox.listExpiring({ path: { deployment } }, { signal }),
  });

export const failingQuery = (deployment: string) =>
  queryOptions({
    queryKey: [deployment, 'inbox', 'failing'],
    queryFn: ({ signal }) => inbox.listFailing({ path: { deployment } }, { signal }),
  });
