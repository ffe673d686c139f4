import { keepPreviousData, queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { publicIssues } from '#web/api/services.ts';
import { useOrg } from '#web/org/org.ts';
import { inState, STATES, type StateWord, type View } from '#web/query/view.ts';
import { settle, turnNow } from '../decided.ts';
import { type Source, useSource } from '../queries.ts';
import type { Row } from '../row.ts';
import type { Sort } from '../search.ts';
import { workflowFiltersOf } from './filter.ts';
import { workflowRow } from './row.ts';

const PAGE = '50';

const SORTED = {
  newest: { sortField: 'ISSUE_SORT_FIELD_CREATED_AT', sortDirection: 'SORT_DIRECTION_DESC' },
  oldest: { sortField: 'ISSUE_SORT_FIELD_CREATED_AT', sortDirection: 'SORT_DIRECTION_ASC' },
  severity: { sortField: 'ISSUE_SORT_FIELD_SEVERITY', sortDirection: 'SORT_DIRECTION_DESC' },
  mildest: { sortField: 'ISSUE_SORT_FIELD_SEVERITY', sortDirection: 'SORT_DIRECTION_ASC' },
} as const satisfies Record<Sort, object>;

/** The body of the call that makes the list. */
export const searchBody = ({ query }: View, sort: Sort) => ({
  filters: workflowFiltersOf(query).filters,
  ...SORTED[sort],
  limit: PAGE,
});

interface Page {
  rows: Row[];
  cursor: string;
  total: number;
}

/** What Agentic Workflows found, page by page. */
export function useWorkflowIssues(view: View, sort: Sort): Source<Row> & { total: number | undefined } {
  const { id: deploymentId } = useOrg();
  const found = useInfiniteQuery({
    queryKey: [deploymentId, 'workflow-issues', view.q, sort],
    refetchOnWindowFocus: false,
    initialPageParam: '',
    placeholderData: keepPreviousData,
    queryFn: async ({ signal, pageParam }): Promise<Page> => {
      const turn = turnNow();
      const body = { ...searchBody(view, sort), cursor: pageParam };
      const {
        issues,
        cursor = '',
        total,
      } = await publicIssues.searchIssues({ path: { deploymentId }, body }, { signal });
      const rows = issues.map(workflowRow);
      settle(
        rows.map(({ id }) => id),
        turn,
      );
      return { rows, cursor, total: Number(total) };
    },
    getNextPageParam: ({ cursor }) => (cursor === '' ? undefined : cursor),
  });
  return { ...useSource(found, (page: Page) => page.rows), total: found.data?.pages[0]?.total };
}

/** How many there are in each state. */
export function useWorkflowCounts({ query }: View) {
  const { id: deploymentId } = useOrg();
  const rest = inState(query);
  return useQuery({
    queryKey: [deploymentId, 'counts', 'workflows', rest],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const counts = await Promise.all(
        STATES.map(async (word) => {
          const { filters } = workflowFiltersOf(inState(query, word));
          const { count } = await publicIssues.countIssues({ path: { deploymentId }, body: { filters } }, { signal });
          return [word, Number(count)] as const;
        }),
      );
      return Object.fromEntries(counts) as Record<StateWord, number>;
    },
  });
}

export const workflowIssueQuery = (deploymentId: string, issueId: string) =>
  queryOptions({
    queryKey: [deploymentId, 'workflow-issue', issueId],
    queryFn: async ({ signal }) => (await publicIssues.getIssue({ path: { deploymentId, issueId } }, { signal })).data,
  });
