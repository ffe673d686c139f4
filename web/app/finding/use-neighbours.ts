import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { issues } from '#web/api/services.ts';
import { useOrg } from '#web/org/org.ts';
import { type Neighbours, neighboursOf } from './neighbours.ts';

const PAGE_SIZE = 200;
const MOST_PAGES = 10;

export interface ListView {
  q: string | undefined;
  sort: 'newest' | 'severity' | undefined;
}

/** The ids of a list from its beginning up to a finding and a little further, as far as is sensible. */
async function idsUpTo(
  { deploymentId, issueId, q, sort }: ListView & { deploymentId: string; issueId: string },
  signal: AbortSignal,
): Promise<string[]> {
  const ids: string[] = [];
  let cursor = '';
  for (let page = 0; page < MOST_PAGES; page++) {
    const answer = await issues.listIssues(
      {
        path: { deploymentId },
        body: {
          ...(q !== undefined && { q }),
          ...(sort === 'severity' && { sortBy: 'SORT_BY_SEVERITY' }),
          limit: PAGE_SIZE,
          cursor,
        },
      },
      { signal },
    );
    ids.push(...answer.issues.map(({ issue }) => issue.id));
    cursor = answer.cursor ?? '';
    const isEnough = ids.includes(issueId) && ids.at(-1) !== issueId;
    if (isEnough || cursor === '') break;
  }
  return ids;
}

/** Who stands beside the finding in the list it was opened from; decisions made here do not reorder it. */
export function useNeighbours(issueId: string, { q, sort }: ListView): Neighbours | undefined {
  const { id: deploymentId } = useOrg();
  const { data } = useQuery({
    queryKey: [deploymentId, 'neighbours', q, sort],
    enabled: q !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => idsUpTo({ deploymentId, issueId, q, sort }, signal),
  });
  return data && neighboursOf(data, issueId);
}

/** Goes to another finding, and keeps the list and the tab. */
export function useGoToFinding(): (issueId: string | undefined) => void {
  const navigate = useNavigate({ from: '/o/$slug/findings/$issueId' });
  return (issueId) => {
    if (issueId === undefined) return;
    void navigate({ params: (before) => ({ ...before, issueId }), search: ({ step: _, ...kept }) => kept });
  };
}
