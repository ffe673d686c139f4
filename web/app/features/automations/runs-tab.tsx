import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { automationRuns } from '#web/foundation/api/services.ts';
import { formatNumber } from '#web/foundation/format/format-number.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { MODE_LABELS } from '#web/ui/automations/mode-control.tsx';
import { LoadMore } from '#web/ui/page/load-more.tsx';
import { EmptyState, LoadingRows, ProblemView } from '#web/ui/page/view-states.tsx';
import { DataTable, type TableColumn } from '#web/ui/table/data-table.tsx';
import { RelativeTime } from '#web/ui/text/relative-time.tsx';
import { suppressedText } from './suppressed-text.ts';

type ListedRun = Awaited<ReturnType<typeof automationRuns.listAutomationRuns>>['runs'][number];

const runsQuery = (deploymentId: string, automationId: string) =>
  infiniteQueryOptions({
    queryKey: [deploymentId, 'automations', 'runs', automationId],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      automationRuns.listAutomationRuns(
        { path: { deploymentId, automationId }, query: { limit: '50', cursor: pageParam } },
        { signal },
      ),
    getNextPageParam: ({ cursor }) => (cursor ? cursor : undefined),
    placeholderData: keepPreviousData,
  });

/** The runs of an automation, newest first, with what they passed over and why. */
export function RunsTab({ automationId }: { automationId: string }) {
  const org = useOrg();
  const list = useInfiniteQuery(runsQuery(org.id, automationId));
  const runs = list.data?.pages.flatMap((page) => page.runs) ?? [];
  return (
    <>
      {list.error && <ProblemView error={list.error} onRetry={() => void list.refetch()} />}
      {!list.data && !list.error && <LoadingRows rows={5} />}
      {list.data && runs.length === 0 && (
        <EmptyState
          title="It has not run yet"
          why="It runs when its trigger happens and it is not paused. Runs are listed here for 90 days."
        />
      )}
      {runs.length > 0 && <DataTable label="Runs" columns={COLUMNS} rows={runs} keyOf={({ id }) => id} />}
      <LoadMore {...list} />
    </>
  );
}

const COLUMNS: TableColumn<ListedRun>[] = [
  { name: 'When', cell: ({ at }) => <RelativeTime at={at} /> },
  {
    name: 'Cause',
    cell: ({ cause, startedBy }) =>
      cause === 'existing' ? `Run on existing findings by ${startedBy}` : 'Scan or decision',
  },
  { name: 'Mode', cell: ({ mode }) => MODE_LABELS[mode] },
  { name: 'Considered', cell: ({ considered }) => formatNumber(considered) },
  { name: 'Matched', cell: (run) => <Matched run={run} /> },
  {
    name: 'Passed over',
    cell: ({ suppressed, failure }) =>
      failure === '' ? (
        suppressedText(suppressed)
      ) : (
        <span className="automation-warning">The run failed: {failure}</span>
      ),
  },
  { name: 'Took', cell: ({ durationMs }) => `${formatNumber(durationMs)} ms` },
];

function Matched({ run: { id, automationId, matched } }: { run: ListedRun }) {
  const org = useOrg();
  if (matched === 0 || !org.may('delivery:read')) return <>{formatNumber(matched)}</>;
  return (
    <Link
      to="/o/$slug/automations/$automationId"
      params={{ slug: org.slug, automationId }}
      search={{ tab: 'deliveries', run: id }}
      resetScroll={false}
    >
      {formatNumber(matched)}
    </Link>
  );
}
