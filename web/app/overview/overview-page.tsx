import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { print } from '#domain/query/print.ts';
import { StackedArea, StackedBars } from '#web/charts/chart.tsx';
import { ChartFigure } from '#web/charts/chart-figure.tsx';
import { ChartTable } from '#web/charts/chart-table.tsx';
import { summaryOfCounts, summaryOfLevels } from '#web/charts/data.ts';
import { useOrg } from '#web/org/org.ts';
import { CopyAs } from '#web/parts/copy-as.tsx';
import { Page } from '#web/parts/page.tsx';
import { Empty, LoadingRows, ProblemView } from '#web/parts/states.tsx';
import { FilterBar } from '#web/query/filter-bar.tsx';
import { viewOf } from '#web/query/view.ts';
import { RangeBar } from '#web/reports/range-bar.tsx';
import { ReportFoot } from '#web/reports/report-foot.tsx';
import { Broken } from './broken.tsx';
import { Lists } from './lists.tsx';
import { Numbers } from './numbers.tsx';
import './overview.css';
import { backlogChart, behindOf, bodyOf, changeChart, DEFAULT_SINCE, netOf, sizeOf } from './overview.ts';
import { OPERATION, type Overview, overviewQuery } from './overview-query.ts';
import type { OverviewSearch } from './search.ts';

const route = getRouteApi('/o/$slug/overview');

/** One page for those who lead: numbers, two charts, three lists, and what is broken. */
export function OverviewPage() {
  const org = useOrg();
  const search = route.useSearch();
  const navigate = useNavigate({ from: '/o/$slug/overview' });
  const [now] = useState(() => new Date());
  const overview = useQuery(overviewQuery(org.id, search, now));
  const change = (part: { [Name in keyof OverviewSearch]?: OverviewSearch[Name] | undefined }) =>
    void navigate({ search: (before) => ({ ...before, ...part }) as OverviewSearch });
  const input = { path: { deploymentId: org.id }, body: bodyOf(search, now) };
  return (
    <Page title="Overview" actions={<CopyAs operationId={OPERATION} input={input} />}>
      <div className="overview-bars no-print">
        <FilterBar view={viewOf(search.q ?? '')} onCommit={(query) => change({ q: print(query) || undefined })} />
        <div className="report-bar">
          <RangeBar
            since={search.since}
            until={search.until}
            fallback={DEFAULT_SINCE}
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
      <ReportFoot />
    </Page>
  );
}

interface ContentProps {
  overview: Overview;
  search: OverviewSearch;
  now: Date;
  onToggle: () => void;
}

const isBlank = ({ backlog, netChange }: Overview) =>
  backlog.every(({ critical, high, medium, low }) => critical + high + medium + low === 0) &&
  netChange.every(({ opened, fixed, ignored }) => opened + fixed + ignored === 0);

function Content({ overview, search, now, onToggle }: ContentProps) {
  const { slug } = useOrg();
  if (isBlank(overview))
    return (
      <>
        <Empty
          title="Nothing to tell yet"
          why={search.q === undefined ? 'No finding was open in this period.' : 'No finding matches this filter.'}
          action={
            <Link to="/o/$slug/start" params={{ slug }}>
              Bring in the first report
            </Link>
          }
        />
        <Broken overview={overview} />
      </>
    );
  return (
    <>
      <Numbers overview={overview} />
      <div className="overview-charts">
        <Charts overview={overview} search={search} now={now} onToggle={onToggle} />
      </div>
      <Lists overview={overview} />
      <Broken overview={overview} />
    </>
  );
}

function Charts({ overview, search, now, onToggle }: ContentProps) {
  const isTable = search.view === 'table';
  const size = sizeOf(search, now);
  const backlog = backlogChart(overview.backlog, size);
  const change = changeChart(overview.netChange, size);
  const net = { label: 'Net change', values: netOf(overview.netChange) };
  return (
    <>
      <ChartFigure
        title="Backlog"
        definition={`Open findings at the end of each ${size}, by severity (UTC).`}
        isTable={isTable}
        onToggle={onToggle}
      >
        {isTable ? (
          <ChartTable title="Backlog" data={backlog} behindOf={behindOf(overview.backlog)} />
        ) : (
          <StackedArea
            title="Backlog"
            data={backlog}
            behindOf={behindOf(overview.backlog)}
            summary={summaryOfLevels('Open findings', backlog)}
            height={220}
          />
        )}
      </ChartFigure>
      <ChartFigure
        title="Net change"
        definition={`What came and what went in each ${size} (UTC).`}
        isTable={isTable}
        onToggle={onToggle}
      >
        {isTable ? (
          <ChartTable title="Net change" data={change} behindOf={behindOf(overview.netChange)} />
        ) : (
          <StackedBars
            title="Net change"
            data={change}
            behindOf={behindOf(overview.netChange)}
            net={net}
            summary={summaryOfCounts('Findings that came and went', change)}
            height={220}
          />
        )}
      </ChartFigure>
    </>
  );
}
