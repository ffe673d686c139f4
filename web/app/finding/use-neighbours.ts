import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { issues } from '#web/api/services.ts';
import { workflowLineId } from '#web/findings/kinds.ts';
import { SORTED } from '#web/findings/queries.ts';
import type { Sort } from '#web/findings/search.ts';
import { useOrg } from '#web/org/org.ts';
import { type Neighbours, needsMore, neighboursOf } from './neighbours.ts';

const PAGE_SIZE = 200;

type Line = Awaited<ReturnType<typeof issues.listAllIssues>>['issues'][number];

const idsOf = ({ issue, workflowIssue }: Line): string[] => {
  if (issue) return [issue.id];
  return workflowIssue ? [workflowLineId(workflowIssue.id)] : [];
};

/** A finding that is not among so many pages is no longer looked for. */
const MOST_PAGES = 10;

export interface ListView {
  q: string | undefined;
  sort: Sort | undefined;
}

/**
 * Who stands beside the finding in the list it was opened from. The list is kept while one walks along it, so that
 * decisions made here do not reorder it, and read on where one comes to the end of what is loaded.
 */
export function useNeighbours(issueId: string, { q, sort = 'newest' }: ListView): Neighbours | undefined {
  const { id: deploymentId } = useOrg();
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = useInfiniteQuery({
    queryKey: [deploymentId, 'neighbours', q, sort],
    enabled: q !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    initialPageParam: '',
    queryFn: async ({ signal, pageParam: cursor }) => {
      const body = { q: q ?? '', ...SORTED[sort], limit: PAGE_SIZE, cursor };
      const answer = await issues.listAllIssues({ path: { deploymentId }, body }, { signal });
      return { ids: answer.issues.flatMap(idsOf), cursor: answer.cursor ?? '' };
    },
    getNextPageParam: ({ cursor }) => (cursor === '' ? undefined : cursor),
  });
  const ids = data?.pages.flatMap((page) => page.ids) ?? [];
  const isFarEnough = !ids.includes(issueId) && (data?.pages.length ?? 0) >= MOST_PAGES;
  const isWanted = hasNextPage && !isFetching && !isError && !isFarEnough && needsMore(ids, issueId);
  useEffect(() => {
    if (isWanted) void fetchNextPage();
  }, [isWanted, fetchNextPage]);
  return neighboursOf(ids, issueId);
}

/** Goes to another finding, and keeps the list and the tab. */
export function useGoToFinding(): (issueId: string | undefined) => void {
  const navigate = useNavigate({ from: '/o/$slug/findings/$issueId' });
  return (issueId) => {
    if (issueId === undefined) return;
    void navigate({ params: (before) => ({ ...before, issueId }), search: ({ step: _, ...kept }) => kept });
  };
}
