import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useMemo, useRef, useState } from 'react';
import { useOrg } from '#web/foundation/session/org.ts';
import { StackedBarChart } from '#web/ui/charts/chart.tsx';
import { ChartFigure } from '#web/ui/charts/chart-figure.tsx';
import { ChartTable } from '#web/ui/charts/chart-table.tsx';
import { isChartEmpty, summarizeCounts } from '#web/ui/charts/data/chart-data.ts';
import { defaultBucketSize, parseTime } from '#web/ui/charts/data/time-buckets.ts';
import { BucketSizePicker, PeriodPicker } from '#web/ui/charts/period-picker.tsx';
import { PrintFooter } from '#web/ui/charts/print-footer.tsx';
import { CopyAsMenu } from '#web/ui/clipboard/copy-as-menu.tsx';
import { Page } from '#web/ui/page/page.tsx';
import { LoadingRows, ProblemView } from '#web/ui/page/view-states.tsx';
import { FilterFields } from './filter-fields.tsx';
import {
  DEFAULT_GUARDRAILS_SINCE,
  GUARDRAIL_CLASSES,
  type GuardrailsFindingsReport,
  type GuardrailsReport,
  guardrailsBucketSize,
  guardrailsChart,
  guardrailsRequest,
} from './guardrails.ts';
import { GUARDRAILS_OPERATION, guardrailsFindingsQuery, guardrailsQuery } from './guardrails-query.ts';
import { guardrailsLinkTargets } from './link-targets.ts';
import { NoActivity } from './no-activity.tsx';
import { ReportExportMenu } from './report-export-menu.tsx';
import './reports.css';
import { GuardrailsTotals } from './guardrails-totals.tsx';
import type { GuardrailsSearch } from './search.ts';

const route = getRouteApi('/o/$slug/reports/guardrails');

/** The outcomes of findings that policies report on pull requests (S4.2). */
export function GuardrailsPage() {
  const org = useOrg();
  const search = route.useSearch();
  const navigate = useNavigate({ from: '/o/$slug/reports/guardrails' });
  const [now] = useState(() => new Date());
  const report = useQuery(guardrailsQuery(org.id, search, now));
  const findings = useQuery(guardrailsFindingsQuery(org.id, search, now));
  // Until both queries are loaded, a count may differ from its linked list.
  const isStale = report.isPlaceholderData || findings.isPlaceholderData;
  const change = (part: Partial<GuardrailsSearch>) =>
    void navigate({ search: (before) => ({ ...before, ...part }) as GuardrailsSearch });
  const input = { path: { deploymentId: org.id }, body: guardrailsRequest(search, now) };
  const defaultSize = defaultBucketSize(
    parseTime(search.since ?? DEFAULT_GUARDRAILS_SINCE, now) ?? now,
    parseTime(search.until, now) ?? now,
  );
  return (
    <Page title="Guardrails activity" actions={<CopyAsMenu operationId={GUARDRAILS_OPERATION} input={input} />}>
      <p className="dimmed report-lead">
        The outcomes of findings that a policy reports on pull requests, counted in the bucket in which they first
        appeared there.
      </p>
      <div className="report-bar no-print">
        <PeriodPicker
          since={search.since}
          until={search.until}
          defaultSince={DEFAULT_GUARDRAILS_SINCE}
          onChange={({ since, until }) => change({ since, until } as Partial<GuardrailsSearch>)}
        />
        <BucketSizePicker
          chosen={search.bucket}
          defaultSize={defaultSize}
          onChange={(bucket) => change({ bucket } as Partial<GuardrailsSearch>)}
        />
      </div>
      <FilterFields texts={search} onChange={(name, text) => change({ [name]: text })} />
      {report.error && <ProblemView error={report.error} onRetry={() => void report.refetch()} />}
      {report.data ? (
        <div aria-busy={isStale || findings.isPending} className={isStale ? 'report-stale' : ''}>
          <Report reply={report.data} findings={findings.data} search={search} now={now} onChange={change} />
        </div>
      ) : (
        !report.error && <LoadingRows rows={9} />
      )}
      <PrintFooter />
    </Page>
  );
}

interface ReportProps {
  reply: GuardrailsReport;
  findings: GuardrailsFindingsReport | undefined;
  search: GuardrailsSearch;
  now: Date;
  onChange: (part: Partial<GuardrailsSearch>) => void;
}

function Report({ reply, findings, search, now, onChange }: ReportProps) {
  const svg = useRef<SVGSVGElement>(null);
  const size = guardrailsBucketSize(search, now);
  const data = useMemo(() => guardrailsChart(reply, size), [reply, size]);
  const ends = reply.buckets.map(({ timePeriod }) => timePeriod);
  if (isChartEmpty(data)) return <NoActivity search={search} now={now} />;
  const isTable = search.view === 'table';
  const behindSum = guardrailsLinkTargets(reply, findings, { texts: search, until: parseTime(search.until, now), now });
  const title = `Findings per ${size}`;
  const shared = { title, data, behindOf: (bucket: number, series: string) => behindSum({ bucket, series }) };
  return (
    <>
      <GuardrailsTotals reply={reply} behindSum={behindSum} />
      <ChartFigure
        title={title}
        definition="Weeks start on Monday; all times are UTC."
        isTable={isTable}
        onToggle={() => onChange({ view: isTable ? 'chart' : 'table' })}
        actions={<ReportExportMenu data={data} ends={ends} svg={svg} hasPicture={!isTable} />}
      >
        {isTable ? (
          <ChartTable {...shared} behindSum={behindSum} />
        ) : (
          <StackedBarChart {...shared} summary={summarizeCounts(title, data)} height={320} svgRef={svg} />
        )}
      </ChartFigure>
      <Definitions />
    </>
  );
}

function Definitions() {
  return (
    <section className="report-definitions">
      <h2>Definitions</h2>
      <dl>
        {GUARDRAIL_CLASSES.map(({ key, label, definition }) => (
          <div key={key}>
            <dt>{label}</dt>
            <dd>{definition}</dd>
          </div>
        ))}
      </dl>
      <p className="dimmed">
        Each number links to its findings. A finding that appears on pull requests more than once is counted each time;
        where a count is therefore higher than its number of findings, both are shown.
      </p>
    </section>
  );
}
