import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { formatQuery } from '#domain/query/format-query.ts';
import { issues } from '#web/foundation/api/services.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import type { Severity } from '#web/ui/badges/severity.tsx';
import { type FilterState, type FilterView, withState } from '#web/ui/filter/filter-view.ts';
import { type FindingRow, findingRow } from './finding-row.ts';
import { currentRevision, dropConfirmed } from './pending-decisions.ts';
import type { FindingSort, Grouping } from './search.ts';
import { workflowFindingRow } from './workflow-issue.ts';

const PAGE_SIZE = 50;
/** The list contains findings and workflow issues. */
const WITH_WORKFLOW_ISSUES = { includeWorkflows: true } as const;

/** Lists are not refetched by themselves, so that rows do not move under the cursor. */
const NO_REFETCH = { refetchOnWindowFocus: false, refetchOnReconnect: false, staleTime: 60_000 } as const;

export const SORT_PARAMS = {
  newest: { sortBy: 'SORT_BY_RELEVANT_SINCE', sortDirection: 'SORT_DIRECTION_DESC' },
  oldest: { sortBy: 'SORT_BY_RELEVANT_SINCE', sortDirection: 'SORT_DIRECTION_ASC' },
  severity: { sortBy: 'SORT_BY_SEVERITY', sortDirection: 'SORT_DIRECTION_DESC' },
  mildest: { sortBy: 'SORT_BY_SEVERITY', sortDirection: 'SORT_DIRECTION_ASC' },
} as const satisfies Record<FindingSort, object>;

/** Rows that are loaded page by page while scrolling. */
export interface PagedSource<Line> {
  lines: readonly Line[];
  isLoading: boolean;
  /** Rows of the previous query are shown while the new ones load. */
  isStale: boolean;
  error: unknown;
  hasMore: boolean;
  more: () => void;
  retry: () => void;
  /** Identifies the findings that existed when the list was loaded; a bulk change does not touch later ones. */
  snapshot?: string | undefined;
}

interface Pages<Page> {
  data: { pages: Page[] } | undefined;
  isPending: boolean;
  isPlaceholderData: boolean;
  isFetchingNextPage: boolean;
  isError: boolean;
  error: unknown;
  hasNextPage: boolean;
  fetchNextPage: () => unknown;
  refetch: () => unknown;
}

function usePagedSource<Page, Line>(query: Pages<Page>, linesOf: (page: Page) => readonly Line[]): PagedSource<Line> {
  const { data, hasNextPage, isFetchingNextPage, isError, fetchNextPage, refetch } = query;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `linesOf` never changes.
  const lines = useMemo(() => data?.pages.flatMap(linesOf) ?? [], [data]);
  return {
    lines,
    isLoading: query.isPending,
    isStale: query.isPlaceholderData,
    error: isError ? query.error : undefined,
    hasMore: hasNextPage,
    more: () => {
      if (hasNextPage && !isFetchingNextPage && !isError) void fetchNextPage();
    },
    retry: () => void (data ? fetchNextPage() : refetch()),
  };
}

interface RowPage {
  rows: FindingRow[];
  cursor: string;
  snapshot: string;
}

type Line = Awaited<ReturnType<typeof issues.listAllIssues>>['issues'][number];

const rowsOf = ({ issue, workflowIssue, projects }: Line): FindingRow[] => {
  if (issue) return [findingRow(issue)];
  return workflowIssue ? [workflowFindingRow(workflowIssue, projects)] : [];
};

/** The findings that match a filter, page by page. */
export function useFindings(q: string | undefined, sort: FindingSort): PagedSource<FindingRow> {
  const { id: deploymentId } = useOrg();
  const query = useInfiniteQuery({
    queryKey: [deploymentId, 'issues', 'list', q, sort],
    enabled: q !== undefined,
    ...NO_REFETCH,
    initialPageParam: '',
    placeholderData: keepPreviousData,
    queryFn: async ({ signal, pageParam }): Promise<RowPage> => {
      const revision = currentRevision();
      const body = { q: q ?? '', ...SORT_PARAMS[sort], limit: PAGE_SIZE, cursor: pageParam };
      const reply = await issues.listAllIssues({ path: { deploymentId }, body }, { signal });
      const rows = reply.issues.flatMap(rowsOf);
      dropConfirmed(
        rows.map(({ id }) => id),
        revision,
      );
      return { rows, cursor: reply.cursor ?? '', snapshot: reply.snapshot };
    },
    getNextPageParam: ({ cursor }) => (cursor === '' ? undefined : cursor),
  });
  const source = usePagedSource(query, (page: RowPage) => page.rows);
  return { ...source, snapshot: query.data?.pages[0]?.snapshot };
}

export interface FindingGroup {
  key: string;
  label: string;
  q: string;
  count: number;
  severities: Partial<Record<Severity, number>>;
  newestAt: string;
}

const GROUPINGS = {
  rule: 'GROUP_BY_RULE',
  project: 'GROUP_BY_PROJECT',
  path: 'GROUP_BY_PATH',
  cwe: 'GROUP_BY_CWE',
  dependency: 'GROUP_BY_DEPENDENCY',
} as const satisfies Record<Grouping, string>;

/** The groups of the findings that match a filter, largest first. */
export function useGroups(
  q: string,
  group: Grouping | undefined,
): PagedSource<FindingGroup> & { total: number | undefined } {
  const { id: deploymentId } = useOrg();
  const query = useInfiniteQuery({
    queryKey: [deploymentId, 'issues', 'groups', q, group],
    enabled: group !== undefined,
    ...NO_REFETCH,
    initialPageParam: '',
    placeholderData: keepPreviousData,
    queryFn: async ({ signal, pageParam }) => {
      const groupBy = GROUPINGS[group ?? 'rule'];
      const body = { q, groupBy, ...WITH_WORKFLOW_ISSUES, limit: PAGE_SIZE, cursor: pageParam };
      return issues.groupIssues({ path: { deploymentId }, body }, { signal });
    },
    getNextPageParam: ({ cursor }) => (cursor === '' ? undefined : cursor),
  });
  type Page = NonNullable<typeof query.data>['pages'][number];
  const source = usePagedSource(query, (page: Page): FindingGroup[] =>
    page.groups.map(({ count, severities, ...rest }) => ({
      ...rest,
      count: Number(count),
      severities: Object.fromEntries(Object.entries(severities).map(([name, number]) => [name, Number(number)])),
    })),
  );
  const total = query.data?.pages[0]?.total;
  return { ...source, total: total === undefined ? undefined : Number(total) };
}

/** How many findings match the filter in each state, ignoring the filter's own state. */
export function useStateCounts({ query }: FilterView) {
  const { id: deploymentId } = useOrg();
  const q = formatQuery(withState(query));
  return useQuery({
    queryKey: [deploymentId, 'counts', 'states', q],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<Record<FilterState, number>> => {
      const counts = await issues.getIssueCounts(
        { path: { deploymentId }, body: { q, ...WITH_WORKFLOW_ISSUES } },
        { signal },
      );
      return {
        open: Number(counts.open),
        reviewing: Number(counts.reviewing),
        'to-fix': Number(counts.fixing),
        provisional: Number(counts.provisionallyIgnored),
        ignored: Number(counts.ignored),
        fixed: Number(counts.closed),
      };
    },
  });
}

/** The facets of a filter with counts; the list does not wait for them. */
export function useFacets(q: string) {
  const { id: deploymentId } = useOrg();
  return useQuery({
    queryKey: [deploymentId, 'counts', 'facets', q],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      issues.getIssueFacets({ path: { deploymentId }, body: { q, ...WITH_WORKFLOW_ISSUES } }, { signal }),
  });
}
