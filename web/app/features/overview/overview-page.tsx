import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { formatQuery } from '#domain/query/format-query.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { StackedAreaChart, StackedBarChart } from '#web/ui/charts/chart.tsx';
import { ChartFigure } from '#web/ui/charts/chart-figure.tsx';
import { ChartTable } from '#web/ui/charts/chart-table.tsx';
import { summarizeCounts, summarizeLevels } from '#web/ui/charts/data/chart-data.ts';
import { PeriodPicker } from '#web/ui/charts/period-picker.tsx';
import { PrintFooter } from '#web/ui/charts/print-footer.tsx';
import { CopyAsMenu } from '#web/ui/clipboard/copy-as-menu.tsx';
import { FilterBar } from '#web/ui/filter/filter-bar.tsx';
import { parseFilterView } from '#web/ui/filter/filter-view.ts';
import { Page } from '#web/ui/page/page.tsx';
import { EmptyState, LoadingRows, ProblemView } from '#web/ui/page/view-states.tsx';
import { BrokenItems } from './broken-items.tsx';
import { OverviewNumbers } from './overview-numbers.tsx';
import { TopLists } from './top-lists.tsx';
import './overview.css';
import {
  backlogChart,
  bucketLinkTargets,
  changeChart,
  DEFAULT_OVERVIEW_SINCE,
  netChanges,
  overviewBucketSize,
  overviewRequest,
} from './overview.ts';
import { OVERVIEW_OPERATION, type Overview, overviewQuery } from './overview-query.ts';
import type { OverviewSearch } from './search.ts';
import { useOpenCounts } from './use-open-counts.ts';

const route = getRouteApi('/o/$slug/overview');

/** The overview for security leads: numbers, two charts, three lists and problems. */
export function OverviewPage() {
  const org = useOrg();
  const search = route.useSearch();
  const navigate = useNavigate({ from: '/o/$slug/overview' });
  const [now] = useState(() => new Date());
  const overview = useQuery(overviewQuery(org.id, search, now));
  const change = (part: { [Name in keyof OverviewSearch]?: OverviewSearch[Name] | undefined }) =>
    void navigate({ search: (before) => ({ ...before, ...part }) as OverviewSearch });
  const input = { path: { deploymentId: org.id }, body: overviewRequest(search, now) };
  return (
    <Page title="Overview" actions={<CopyAsMenu operationId={OVERVIEW_OPERATION} input={input} />}>
      <div className="overview-bars no-print">
        <FilterBar
          view={parseFilterView(search.q ?? '')}
          onCommit={(query) => change({ q: formatQuery(query) || undefined })}
        />
        <div className="report-bar">
          <PeriodPicker
            since={search.since}
            until={search.until}
            defaultSince={DEFAULT_OVERVIEW_SINCE}
            onChange={({ since, until }) => change({ since, until })}
          />
        </div>
      </div>
      {overview.error && <ProblemView error={overview.error} onRetry={() => void overview.refetch()} />}
      {overview.data ? (
        <Content
          overview={overview.data}
          search={search}
          now={now}
          onToggle={() => change({ view: search.view === 'table' ? undefined : 'table' })}
        />
      ) : (
        !overview.error && <LoadingRows rows={12} />
      )}
      <PrintFooter />
    </Page>
  );
}

interface ContentProps {
  overview: Overview;
  search: OverviewSearch;
  now: Date;
  onToggle: () => void;
}

const isEmptyOverview = ({ backlog, netChange }: Overview) =>
  backlog.every(({ critical, high, medium, low }) => critical + high + medium + low === 0) &&
  netChange.every(({ opened, fixed, ignored }) => opened + fixed + ignored === 0);

function Content({ overview, search, now, onToggle }: ContentProps) {
  const { slug } = useOrg();
  const openCounts = useOpenCounts(overview.numbers);
  if (isEmptyOverview(overview))
    return (
      <>
        <EmptyState
          title="No data yet"
          why={search.q === undefined ? 'No finding was open in this period.' : 'No finding matches this filter.'}
          action={
            <Link to="/o/$slug/start" params={{ slug }}>
              Upload the first report
            </Link>
          }
        />
        <BrokenItems overview={overview} />
      </>
    );
  return (
    <>
      <OverviewNumbers overview={overview} openCounts={openCounts} />
      <div className="overview-charts">
        <Charts overview={overview} search={search} now={now} onToggle={onToggle} />
      </div>
      <TopLists overview={overview} worstProjects={openCounts?.worstProjects ?? []} />
      <BrokenItems overview={overview} />
    </>
  );
}

function Charts({ overview, search, now, onToggle }: ContentProps) {
  const isTable = search.view === 'table';
  const size = overviewBucketSize(search, now);
  const backlog = backlogChart(overview.backlog, size);
  const change = changeChart(overview.netChange, size);
  const net = { label: 'Net change', values: netChanges(overview.netChange) };
  return (
    <>
      <ChartFigure
        title="Backlog"
        definition={`Open findings at the end of each ${size}, by severity (UTC), without those of workflows.`}
        isTable={isTable}
        onToggle={onToggle}
      >
        {isTable ? (
          <ChartTable title="Backlog" data={backlog} behindOf={bucketLinkTargets(overview.backlog)} />
        ) : (
          <StackedAreaChart
            title="Backlog"
            data={backlog}
            behindOf={bucketLinkTargets(overview.backlog)}
            summary={summarizeLevels('Open findings', backlog)}
            height={220}
          />
        )}
      </ChartFigure>
      <ChartFigure
        title="Net change"
        definition={`Findings opened, fixed and ignored in each ${size} (UTC), without those of workflows.`}
        isTable={isTable}
        onToggle={onToggle}
      >
        {isTable ? (
          <ChartTable title="Net change" data={change} behindOf={bucketLinkTargets(overview.netChange)} />
        ) : (
          <StackedBarChart
            title="Net change"
            data={change}
            behindOf={bucketLinkTargets(overview.netChange)}
            net={net}
            summary={summarizeCounts('Findings opened and closed', change)}
            height={220}
          />
        )}
      </ChartFigure>
    </>
  );
}
