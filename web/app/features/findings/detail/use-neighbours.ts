import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { issues } from '#web/foundation/api/services.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { workflowFindingId } from '../model/finding-id.ts';
import { SORT_PARAMS } from '../model/list-queries.ts';
import type { FindingSort } from '../model/search.ts';
import { type Neighbours, needsNextPage, neighboursOf } from './neighbours.ts';

const PAGE_SIZE = 200;

type Line = Awaited<ReturnType<typeof issues.listAllIssues>>['issues'][number];

const idsOf = ({ issue, workflowIssue }: Line): string[] => {
  if (issue) return [issue.id];
  return workflowIssue ? [workflowFindingId(workflowIssue.id)] : [];
};

/** Stops looking for the finding after this many pages. */
const MAX_PAGES = 10;

interface NeighbourList {
  q: string | undefined;
  sort: FindingSort | undefined;
}

/**
 * The previous and next finding in the list that the finding was opened from. The list is never refetched, so that
 * decisions made here do not reorder it; further pages are loaded when the last known finding is reached.
 */
export function useNeighbours(issueId: string, { q, sort = 'newest' }: NeighbourList): Neighbours | undefined {
  const { id: deploymentId } = useOrg();
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = useInfiniteQuery({
    queryKey: [deploymentId, 'neighbours', q, sort],
    enabled: q !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    initialPageParam: '',
    queryFn: async ({ signal, pageParam: cursor }) => {
      const body = { q: q ?? '', ...SORT_PARAMS[sort], limit: PAGE_SIZE, cursor };
      const reply = await issues.listAllIssues({ path: { deploymentId }, body }, { signal });
      return { ids: reply.issues.flatMap(idsOf), cursor: reply.cursor ?? '' };
    },
    getNextPageParam: ({ cursor }) => (cursor === '' ? undefined : cursor),
  });
  const ids = data?.pages.flatMap((page) => page.ids) ?? [];
  const hasGivenUp = !ids.includes(issueId) && (data?.pages.length ?? 0) >= MAX_PAGES;
  const shouldLoadMore = hasNextPage && !isFetching && !isError && !hasGivenUp && needsNextPage(ids, issueId);
  useEffect(() => {
    if (shouldLoadMore) void fetchNextPage();
  }, [shouldLoadMore, fetchNextPage]);
  return neighboursOf(ids, issueId);
}

/** Navigates to another finding and keeps the list and the tab. */
export function useGoToFinding(): (issueId: string | undefined) => void {
  const navigate = useNavigate({ from: '/o/$slug/findings/$issueId' });
  return (issueId) => {
    if (issueId === undefined) return;
    void navigate({ params: (before) => ({ ...before, issueId }), search: ({ step: _, ...kept }) => kept });
  };
}
