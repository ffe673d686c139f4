import { z } from 'zod';
import type { IgnoreMatcher } from '#domain/ignores/ignore-matcher.ts';
import type { ReportedCoverage } from '#domain/reports/report-items.ts';
import { sql, unestimated } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { ScanStamp } from './apply-matches.ts';
import type { TrackingTarget } from './candidates.ts';

export interface ScanCoverage extends ReportedCoverage {
  mode: 'full' | 'diff' | 'partial';
  /** The named rules are all that ran; otherwise only those that the report describes. */
  hasCompleteRuleList: boolean;
  /** The scanned products; undefined means all. */
  products: readonly string[] | undefined;
  isIgnored: IgnoreMatcher;
}

export interface ClosedCounts {
  fixed: number;
  removed: number;
  held: number;
  /** Why closings are held; absent if none is. */
  holdReason?: HoldReason;
}

/** What the scan did less of than the last full scan. */
export type HoldReason = 'fewer-rules' | 'fewer-paths' | 'no-results';

interface Closing extends ScanStamp {
  coverage: ScanCoverage;
  /** The number of unchanged findings, which are neither staged nor collected as candidates. */
  unchangedCount: number;
}

const ProductPath = z.object({ product: z.string(), path: z.string() });
const StateCount = z.object({ state: z.string(), count: z.coerce.number() });
const ClosingCounts = z.object({
  closing: z.coerce.number(),
  incoming: z.coerce.number(),
  open: z.coerce.number(),
  rule_count: z.number().optional(),
  path_count: z.number().optional(),
});

const MIN_HELD_DETECTIONS = 20;
const MAX_CLOSED_SHARE = 0.5;
const MIN_PATH_RATIO = 0.8;

/** Stages what the scan coverage; no rows of a kind means that the report does not say. */
async function stageCoverage(tx: Tx, coverage: ScanCoverage): Promise<void> {
  const { rulesRun = [], pathsSearched = [], pathsFailed = [], rulesFailed = [] } = coverage;
  const rows = [
    ...rulesRun.map((name) => ['rule', name]),
    ...pathsSearched.map((name) => ['path', name]),
    ...pathsFailed.map((name) => ['failed path', name]),
    ...rulesFailed.map((name) => ['failed rule', name]),
  ];
  await tx.copy({ table: 'stage_coverage', columns: { what: 'text', name: 'text' } }, rows);
}

const isNamed = (what: string, column: 'path' | 'rule') =>
  column === 'path'
    ? sql`detection.path in (select name from stage_coverage where what = ${what})`
    : sql`finding.rule in (select name from stage_coverage where what = ${what})`;

/** The new state of a detection that the scan did not report (C2); null keeps it unchanged. */
function verdictSql({ mode, hasCompleteRuleList, rulesRun, pathsSearched, products }: ScanCoverage) {
  const whenOutside = mode === 'partial' ? sql`null` : sql`'file_deleted'`;
  const whenRuleOff = mode === 'partial' ? sql`null` : sql`'rule_off'`;
  return sql`
    case when not (finding.product = any(coalesce(${products ?? null}::text[], array[finding.product]))) then null
         when ${isNamed('failed path', 'path')} or ${isNamed('failed rule', 'rule')} then null
         when ${hasCompleteRuleList && rulesRun !== undefined} and not ${isNamed('rule', 'rule')} then ${whenRuleOff}
         when ${pathsSearched !== undefined} and not ${isNamed('path', 'path')} then ${whenOutside}
         else 'fixed' end`;
}

/**
 * Closes detections that the scan proves to be gone; a suspiciously large number is held until another scan confirms it
 * (C5).
 */
export async function closeMissing(tx: Tx, target: TrackingTarget, stamp: Closing): Promise<ClosedCounts> {
  const { coverage } = stamp;
  await tx.run`
    create temporary table closing (finding_id bigint not null, verdict text not null, was_held boolean not null)
    on commit drop`;
  if (coverage.mode === 'diff' || coverage.isIncomplete === true) return { fixed: 0, removed: 0, held: 0 };
  const { deployment, project, analysis } = target;
  await stageCoverage(tx, coverage);
  await tx.run`
    insert into closing (finding_id, verdict, was_held)
    select * from (
      select detection.finding_id, ${verdictSql(coverage)} as verdict, detection.is_held
      from candidate
      join detection on detection.deployment_id = ${unestimated(deployment)} and detection.analysis_id = ${analysis}
        and detection.finding_id = candidate.finding_id
      join finding on finding.deployment_id = ${unestimated(deployment)} and finding.project_id = ${project}
        and finding.id = candidate.finding_id
      where candidate.is_detected
        and not exists (select from matched where matched.finding_id = candidate.finding_id)) as missing
    where verdict is not null`;
  await markIgnoredPaths(tx, coverage.isIgnored);
  const holdReason = await findHoldReason(tx, target, stamp);
  const held = holdReason === undefined ? 0 : await hold(tx, target, stamp);
  const closed = await closeDetections(tx, target, stamp);
  return { ...closed, held, ...(holdReason !== undefined && held > 0 && { holdReason }) };
}

/** Detections in paths that are now ignored are removed, not fixed. */
async function markIgnoredPaths(tx: Tx, isIgnored: IgnoreMatcher): Promise<void> {
  const paths = await tx.all(ProductPath)`
    select distinct candidate.product, candidate.path from closing join candidate using (finding_id)
    where closing.verdict = 'fixed'`;
  const ignored = paths.filter(({ product, path }) => isIgnored(product, path));
  if (ignored.length === 0) return;
  await tx.run`
    update closing set verdict = 'path_ignored'
    from candidate, unnest(${ignored.map(({ product }) => product)}::text[], ${ignored.map(({ path }) => path)}::text[])
      as ignored (product, path)
    where candidate.finding_id = closing.finding_id and candidate.product = ignored.product
      and candidate.path = ignored.path
      and closing.verdict = 'fixed'`;
}

/** A reason if the scan would close many findings while covering less than the last full scan. */
async function findHoldReason(
  tx: Tx,
  { deployment, analysis }: TrackingTarget,
  closing: Closing,
): Promise<HoldReason | undefined> {
  const { coverage, unchangedCount } = closing;
  const counts = await tx.one(ClosingCounts)`
    select (select count(*) from closing) as closing, (select count(*) from stage_finding as incoming) as incoming,
      (select count(*) from candidate where is_detected) as open,
      rule_count, path_count
    from analysis where deployment_id = ${unestimated(deployment)} and id = ${analysis}`;
  if (!counts) return undefined;
  const { closing: count, incoming, open, rule_count: rules, path_count: paths } = counts;
  if (count < MIN_HELD_DETECTIONS || count <= MAX_CLOSED_SHARE * (open + unchangedCount)) return undefined;
  const hasFewerRules = rules !== undefined && coverage.rulesRun !== undefined && coverage.rulesRun.length < rules;
  const hasFewerPaths =
    paths !== undefined &&
    coverage.pathsSearched !== undefined &&
    coverage.pathsSearched.length < MIN_PATH_RATIO * paths;
  if (incoming + unchangedCount === 0) return 'no-results';
  if (hasFewerRules) return 'fewer-rules';
  return hasFewerPaths ? 'fewer-paths' : undefined;
}

/** The verdict is recorded, because a person may confirm the closing. */
async function hold(tx: Tx, target: TrackingTarget, stamp: ScanStamp): Promise<number> {
  const { deployment, analysis } = target;
  const held = await tx.run`
    with marked as (
      update detection set is_held = true, changed_at = ${stamp.at}, changed_scan_id = ${stamp.scan}
      from closing where not closing.was_held and detection.deployment_id = ${unestimated(deployment)}
        and detection.analysis_id = ${analysis} and detection.finding_id = closing.finding_id
      returning detection.finding_id, closing.verdict
    )
    insert into finding_event (deployment_id, finding_id, batch_id, analysis_id, kind, at, before, after)
    select ${deployment}, finding_id, ${stamp.batch}, ${analysis}, 'held', ${stamp.at}, '{"state": "detected"}',
      jsonb_build_object('verdict', verdict)
    from marked`;
  await tx.run`update closing set verdict = 'held' where not was_held`;
  return held;
}

async function closeDetections(
  tx: Tx,
  { deployment, analysis }: TrackingTarget,
  stamp: ScanStamp,
): Promise<Omit<ClosedCounts, 'held' | 'holdReason'>> {
  const rows = await tx.all(StateCount)`
    with closed as (
      update detection set state = case verdict when 'fixed' then 'fixed' else 'removed' end,
        reason = nullif(verdict, 'fixed'), is_held = false, changed_at = ${stamp.at}, changed_scan_id = ${stamp.scan}
      from closing
      where detection.deployment_id = ${unestimated(deployment)} and detection.analysis_id = ${analysis}
        and detection.finding_id = closing.finding_id and closing.verdict <> 'held'
      returning detection.finding_id, detection.state, detection.reason
    ),
    recorded as (
      insert into finding_event (deployment_id, finding_id, batch_id, analysis_id, kind, at, before, after)
      select ${deployment}, finding_id, ${stamp.batch}, ${analysis}, state, ${stamp.at}, '{"state": "detected"}',
        jsonb_build_object('reason', reason)
      from closed order by finding_id
    )
    select state, count(*) as count from closed group by state`;
  const countOf = (state: string) => rows.find((row) => row.state === state)?.count ?? 0;
  return { fixed: countOf('fixed'), removed: countOf('removed') };
}
