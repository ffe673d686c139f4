import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { workflowFindingId } from '#web/features/findings/model/finding-id.ts';
import { SORT_PARAMS } from '#web/features/findings/model/list-queries.ts';
import type { FindingSort } from '#web/features/findings/model/search.ts';
import { issues } from '#web/foundation/api/services.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { type Neighbours, needsNextPage, neighboursOf } from './neighbours.ts';

const PAGE_SIZE = 200;

type Line = Awaited<ReturnType<typeof issues.listAllIssues>>['issues'][number];

const idsOf = ({ issue, workflowIssue }: Line): string[] => {
  if (issue) return [issue.id];
  return workflowIssue ? [workflowFindingId(workflowIssue.id)] : [];
};

/** A finding that is not among so many pages is no longer looked for. */
const MOST_PAGES = 10;

export interface NeighbourList {
  q: string | undefined;
  sort: FindingSort | undefined;
}

/**
 * Who stands beside the finding in the list it was opened from. The list is kept while one walks along it, so that
 * decisions made here do not reorder it, and read on where one comes to the end of what is loaded.
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
      const answer = await issues.listAllIssues({ path: { deploymentId }, body }, { signal });
      return { ids: answer.issues.flatMap(idsOf), cursor: answer.cursor ?? '' };
    },
    getNextPageParam: ({ cursor }) => (cursor === '' ? undefined : cursor),
  });
  const ids = data?.pages.flatMap((page) => page.ids) ?? [];
  const isFarEnough = !ids.includes(issueId) && (data?.pages.length ?? 0) >= MOST_PAGES;
  const isWanted = hasNextPage && !isFetching && !isError && !isFarEnough && needsNextPage(ids, issueId);
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
