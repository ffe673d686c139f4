import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useMemo, useRef, useState } from 'react';
import { StackedBars } from '#web/charts/chart.tsx';
import { ChartFigure } from '#web/charts/chart-figure.tsx';
import { ChartTable } from '#web/charts/chart-table.tsx';
import { isEmpty, summaryOfCounts } from '#web/charts/data.ts';
import { momentOf, sizeFor } from '#web/charts/periods.ts';
import { useOrg } from '#web/org/org.ts';
import { CopyAs } from '#web/parts/copy-as.tsx';
import { Page } from '#web/parts/page.tsx';
import { LoadingRows, ProblemView } from '#web/parts/states.tsx';
import { behindIn } from './behind.ts';
import { ExportMenu } from './export-menu.tsx';
import { FilterFields } from './filter-fields.tsx';
import { bodyOf, CLASSES, chartOf, DEFAULT_SINCE, type FindingsReply, type Reply, sizeOf } from './guardrails.ts';
import { findingsQuery, guardrailsQuery, OPERATION } from './guardrails-query.ts';
import { NoActivity } from './no-activity.tsx';
import { BucketBar, RangeBar } from './range-bar.tsx';
import { ReportFoot } from './report-foot.tsx';
import './reports.css';
import type { GuardrailsSearch } from './search.ts';
import { Totals } from './totals.tsx';

const route = getRouteApi('/o/$slug/reports/guardrails');

/** What became of the findings that policy wanted to show on pull requests (S4.2). */
export function GuardrailsPage() {
  const org = useOrg();
  const search = route.useSearch();
  const navigate = useNavigate({ from: '/o/$slug/reports/guardrails' });
  const [now] = useState(() => new Date());
  const report = useQuery(guardrailsQuery(org.id, search, now));
  const findings = useQuery(findingsQuery(org.id, search, now));
  // Until the findings are known, a number may lead to fewer than it says.
  const isOld = report.isPlaceholderData || findings.isPlaceholderData;
  const change = (part: Partial<GuardrailsSearch>) =>
    void navigate({ search: (before) => ({ ...before, ...part }) as GuardrailsSearch });
  const input = { path: { deploymentId: org.id }, body: bodyOf(search, now) };
  const natural = sizeFor(momentOf(search.since ?? DEFAULT_SINCE, now) ?? now, momentOf(search.until, now) ?? now);
  return (
    <Page title="Guardrails activity" actions={<CopyAs operationId={OPERATION} input={input} />}>
      <p className="dimmed report-lead">
        What became of the findings that a policy wanted to show on pull requests, counted in the bucket in which they
        first came up there.
      </p>
      <div className="report-bar no-print">
        <RangeBar
          since={search.since}
          until={search.until}
          fallback={DEFAULT_SINCE}
          onChange={({ since, until }) => change({ since, until } as Partial<GuardrailsSearch>)}
        />
        <BucketBar
          chosen={search.bucket}
          natural={natural}
          onChange={(bucket) => change({ bucket } as Partial<GuardrailsSearch>)}
        />
      </div>
      <FilterFields texts={search} onChange={(name, text) => change({ [name]: text })} />
      {report.error && <ProblemView error={report.error} onRetry={() => void report.refetch()} />}
      {report.data ? (
        <div aria-busy={isOld || findings.isPending} className={isOld ? 'report-stale' : ''}>
          <Report reply={report.data} findings={findings.data} search={search} now={now} onChange={change} />
        </div>
      ) : (
        !report.error && <LoadingRows rows={9} />
      )}
      <ReportFoot />
    </Page>
  );
}

interface ReportProps {
  reply: Reply;
  findings: FindingsReply | undefined;
  search: GuardrailsSearch;
  now: Date;
  onChange: (part: Partial<GuardrailsSearch>) => void;
}

function Report({ reply, findings, search, now, onChange }: ReportProps) {
  const svg = useRef<SVGSVGElement>(null);
  const size = sizeOf(search, now);
  const data = useMemo(() => chartOf(reply, size), [reply, size]);
  const ends = reply.buckets.map(({ timePeriod }) => timePeriod);
  if (isEmpty(data)) return <NoActivity search={search} now={now} />;
  const isTable = search.view === 'table';
  const behindSum = behindIn(reply, findings, { texts: search, until: momentOf(search.until, now), now });
  const title = `Findings per ${size}`;
  const shared = { title, data, behindOf: (bucket: number, series: string) => behindSum({ bucket, series }) };
  return (
    <>
      <Totals reply={reply} behindSum={behindSum} />
      <ChartFigure
        title={title}
        definition="Weeks start on Monday; all times are UTC."
        isTable={isTable}
        onToggle={() => onChange({ view: isTable ? 'chart' : 'table' })}
        actions={<ExportMenu data={data} ends={ends} svg={svg} hasPicture={!isTable} />}
      >
        {isTable ? (
          <ChartTable {...shared} behindSum={behindSum} />
        ) : (
          <StackedBars {...shared} summary={summaryOfCounts(title, data)} height={320} svgRef={svg} />
        )}
      </ChartFigure>
      <Definitions />
    </>
  );
}

function Definitions() {
  return (
    <section className="report-definitions">
      <h2>What the words mean</h2>
      <dl>
        {CLASSES.map(({ key, label, definition }) => (
          <div key={key}>
            <dt>{label}</dt>
            <dd>{definition}</dd>
          </div>
        ))}
      </dl>
      <p className="dimmed">
        Each number leads to the findings behind it. What came up on pull requests more than once is counted each time;
        where that makes a number more than its findings, it says of how many it is.
      </p>
    </section>
  );
}
