import { z } from 'zod';
import { projectVisibilitySql } from '#domain/teams/visibility.ts';
import { RowCount } from '#kernel/db/query/row-schemas.ts';
import { emptySql, type Sql, sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { filterSql } from '../filter/filter-sql.ts';
import { closedAt } from '../filter/finding-conditions.ts';
import type { CallerContext, FindingFilter } from '../filter/finding-filter.ts';
import { allMatchingSql } from '../filter/finding-list.ts';
import { type CountSource, countSourceOf, countSql } from './tally.ts';

const OpenFindingCount = z.object({ project_id: z.string(), severity: z.number(), count: z.number() });
export type OpenFindingCount = z.output<typeof OpenFindingCount>;

/** Which findings are counted, and from which table. */
export interface CountScope {
  condition: Sql;
  source: CountSource;
}

/** Counts open findings per project and severity. */
export const countOpenFindings = (tx: Tx, { condition, source }: CountScope): Promise<OpenFindingCount[]> =>
  tx.all(OpenFindingCount)`
    select finding.project_id, finding.severity::int as severity, ${countSql(source)} as count
    from ${source.from} where ${condition} and finding.status = 'open' group by finding.project_id, finding.severity
    having sum(${source.weight}) > 0`;

/** Findings opened or closed within one interval; intervals are numbered from 1. */
export interface FlowCount {
  place: number;
  fate?: 'fixed' | 'ignored' | 'other';
  severity: number;
  count: number;
}

const FlowRow = z.object({
  is_end: z.boolean(),
  place: z.number(),
  fate: z.enum(['fixed', 'ignored', 'other']),
  severity: z.number(),
  count: z.number(),
});

/** One row when a finding was first seen and, if it is not open, one when it was closed: fixed by a scan or triaged. */
const FINDING_FLOWS = sql`finding cross join lateral (
  values (finding.first_seen_at, false),
    (case when finding.status <> 'open' then ${closedAt} end, true)) as flow (at, is_end)`;
/** The same from hourly counts. */
const HOURLY_FLOWS = sql`finding_hour as finding cross join lateral (
  values (finding.hour, finding.is_end)) as flow (at, is_end)`;

const fate = sql`case when finding.status in ('fixed', 'ignored') then finding.status else 'other' end`;

interface FlowQuery extends CountScope {
  edges: readonly [Date, ...Date[]];
  isHourly: boolean;
}

/** Counts findings first seen and findings closed per interval, including after the last edge. */
export async function countOpenedAndClosed(
  tx: Tx,
  { condition, edges, isHourly }: FlowQuery,
): Promise<{ came: FlowCount[]; went: FlowCount[] }> {
  const rows = await tx.all(FlowRow)`
    select flow.is_end, width_bucket(flow.at, ${edges.map((edge) => edge.toISOString())}::timestamptz[]) as place,
      ${fate} as fate, finding.severity::int as severity,
      ${isHourly ? sql`sum(finding.count)` : sql`count(*)`}::int as count
    from ${isHourly ? HOURLY_FLOWS : FINDING_FLOWS} where ${condition} and flow.at >= ${edges[0]} group by 1, 2, 3, 4`;
  return {
    came: rows.flatMap(({ is_end: isEnd, fate: _, ...came }) => (isEnd ? [] : [came])),
    went: rows.flatMap(({ is_end: isEnd, ...went }) => (isEnd ? [went] : [])),
  };
}

const NoisyRule = z.object({ rule: z.string(), ignored: z.number(), count: z.number() });

/** The rules with the most ignored findings, and their total number of findings. */
export const listNoisiestRules = (tx: Tx, { condition, source, most }: CountScope & { most: number }) =>
  tx.all(NoisyRule)`
    with noisy as materialized (
      select finding.rule, ${countSql(source)} as ignored from ${source.from}
      where ${condition} and finding.status = 'ignored'
      group by finding.rule having sum(${source.weight}) > 0 order by ignored desc, finding.rule limit ${most}::int
    )
    select noisy.rule, noisy.ignored, ${countSql(source)} as count
    from ${source.from} join noisy on noisy.rule = finding.rule
    where ${condition} and finding.rule = any(array(select rule from noisy))
    group by noisy.rule, noisy.ignored order by noisy.ignored desc, noisy.rule`;

const MedianRow = z.object({ median: z.string() });

const HOUR_MS = 3_600_000;
const MedianHour = z.object({ hour: z.string(), before: z.number() });

/** The median of when open findings were first seen; hourly counts narrow the search to one hour. */
export async function medianFirstSeenAt(
  tx: Tx,
  { condition, open, isHourly }: { condition: Sql; open: number; isHourly: boolean },
): Promise<Date | undefined> {
  if (open === 0) return undefined;
  const middle = Math.ceil(open / 2) - 1;
  const hour = isHourly ? await findMedianHour(tx, condition, middle) : undefined;
  const end = hour && new Date(Date.parse(hour.hour) + HOUR_MS);
  const row = await tx.one(MedianRow)`
    select finding.first_seen_at as median from finding where ${condition} and finding.status = 'open'
      ${hour ? sql`and finding.first_seen_at >= ${hour.hour} and finding.first_seen_at < ${end}` : emptySql}
    order by finding.first_seen_at, finding.id offset ${middle - (hour?.before ?? 0)}::int limit 1`;
  return row && new Date(row.median);
}

/** The hour that contains the open finding at a given rank, and the number of findings before it. */
const findMedianHour = (tx: Tx, condition: Sql, middle: number): Promise<z.output<typeof MedianHour> | undefined> =>
  tx.one(MedianHour)`
    select hour, before::int from (
      select hour, sum(count) as count, sum(sum(count)) over (order by hour) - sum(count) as before
      from finding_hour as finding where ${condition} and finding.status = 'open' and not finding.is_end
      group by hour) as hours
    where before <= ${middle}::int and before + count > ${middle}::int`;

export async function countMatchingFindings(tx: Tx, context: CallerContext, filter: FindingFilter): Promise<number> {
  const source = countSourceOf(filter);
  const row = await tx.one(RowCount)`
    select ${countSql(source)} as count from ${source.from} where ${await allMatchingSql(tx, context, filter)}`;
  return row?.count ?? 0;
}

const OldestFinding = z.object({ id: z.string(), title: z.string(), name: z.string(), first_seen_at: z.string() });

/** The findings that have been known the longest. */
export const listOldestFindings = (
  tx: Tx,
  context: CallerContext,
  { filter, most }: { filter: FindingFilter; most: number },
) =>
  tx.all(OldestFinding)`
    select found.id, found.title, found.first_seen_at, project.name
    from (
      select finding.deployment_id, finding.id, finding.title, finding.first_seen_at, finding.project_id from finding
      where ${filterSql(filter, context)} order by finding.first_seen_at, finding.id limit ${most}::int) as found
    join project on project.deployment_id = found.deployment_id and project.id = found.project_id
    order by found.first_seen_at, found.id`;

const ProjectName = z.object({ id: z.string(), name: z.string() });

export async function projectNamesById(
  tx: Tx,
  deployment: string,
  projects: readonly string[],
): Promise<Map<string, string>> {
  const rows = await tx.all(ProjectName)`
    select id, name from project where deployment_id = ${deployment} and id = any(${projects}::bigint[])`;
  return new Map(rows.map(({ id, name }) => [id, name]));
}

const ProjectProblem = z.object({
  kind: z.enum(['SCAN_FAILED', 'PROJECT_SILENT']),
  name: z.string(),
  slug: z.string(),
  status: z.string(),
  at: z.string(),
});
export type ProjectProblem = z.output<typeof ProjectProblem>;

/** A project without a scan for this long is reported. */
const SILENT_DAYS = 30;

/** How many projects the caller can see, without archived ones. */
export async function countProjects(tx: Tx, { caller }: CallerContext): Promise<number> {
  const row = await tx.one(RowCount)`
    select count(*)::int as count from project
    where project.deployment_id = ${caller.deployment} and project.archived_at is null
      and ${projectVisibilitySql(caller)}`;
  return row?.count ?? 0;
}

/** Projects whose last scan failed, and projects without a recent scan. */
export const listProjectProblems = (tx: Tx, { caller, now }: CallerContext, most: number): Promise<ProjectProblem[]> =>
  tx.all(ProjectProblem)`
    with visible as materialized (
      select project.id, project.name, project.latest_scan_at, deployment.slug, last.status, last.started_at
      from project join deployment on deployment.id = project.deployment_id
      left join lateral (
        select scan.status, scan.started_at from scan
        where scan.deployment_id = project.deployment_id and scan.project_id = project.id
        order by scan.started_at desc, scan.id desc limit 1) as last on true
      where project.deployment_id = ${caller.deployment} and project.archived_at is null
        and ${projectVisibilitySql(caller)}
    )
    (select 'SCAN_FAILED' as kind, name, slug, status, started_at as at from visible
     where status in ('error', 'never_finished') order by started_at desc limit ${most}::int)
    union all
    (select 'PROJECT_SILENT', name, slug, '', latest_scan_at from visible
     where latest_scan_at < ${now}::timestamptz - make_interval(days => ${SILENT_DAYS})
     order by latest_scan_at limit ${most}::int)`;
