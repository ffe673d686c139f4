import type { IgnoreMatcher } from '#domain/ignores/ignore-matcher.ts';
import type { ReportedCoverage } from '#domain/reports/report-items.ts';
import { sql } from '#kernel/db/query/sql.ts';
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
}

interface Closing extends ScanStamp {
  covered: ScanCoverage;
  /** The number of unchanged findings, which are neither staged nor collected as candidates. */
  sameCount: number;
}

const FEWEST_HELD = 20;
const LARGEST_SHARE = 0.5;
const LARGEST_FALL = 0.8;

/** Stages what the scan covered; no rows of a kind means that the report does not say. */
async function stageCoverage(tx: Tx, covered: ScanCoverage): Promise<void> {
  const { rulesRun = [], pathsSearched = [], pathsFailed = [], rulesFailed = [] } = covered;
  const rows = [
    ...rulesRun.map((name) => ['rule', name]),
    ...pathsSearched.map((name) => ['path', name]),
    ...pathsFailed.map((name) => ['failed path', name]),
    ...rulesFailed.map((name) => ['failed rule', name]),
  ];
  await tx.copy({ table: 'stage_covered', columns: { what: 'text', name: 'text' } }, rows);
}

const isNamed = (what: string, column: 'path' | 'rule') =>
  column === 'path'
    ? sql`detection.path in (select name from stage_covered where what = ${what})`
    : sql`finding.rule in (select name from stage_covered where what = ${what})`;

/** The new state of a detection that the scan did not report (C2); null keeps it unchanged. */
function verdict({ mode, hasCompleteRuleList, rulesRun, pathsSearched, products }: ScanCoverage) {
  const isOutside = mode === 'partial' ? sql`null` : sql`'file_deleted'`;
  const isOff = mode === 'partial' ? sql`null` : sql`'rule_off'`;
  return sql`
    case when not (finding.product = any(coalesce(${products ?? null}::text[], array[finding.product]))) then null
         when ${isNamed('failed path', 'path')} or ${isNamed('failed rule', 'rule')} then null
         when ${hasCompleteRuleList && rulesRun !== undefined} and not ${isNamed('rule', 'rule')} then ${isOff}
         when ${pathsSearched !== undefined} and not ${isNamed('path', 'path')} then ${isOutside}
         else 'fixed' end`;
}

/**
 * Closes detections that the scan proves to be gone; a suspiciously large number is held until another scan confirms it
 * (C5).
 */
export async function closeMissing(tx: Tx, target: TrackingTarget, stamp: Closing): Promise<ClosedCounts> {
  const { covered } = stamp;
  await tx.run`
    create temporary table closing (finding_id bigint not null, verdict text not null, was_held boolean not null)
    on commit drop`;
  if (covered.mode === 'diff' || covered.isIncomplete === true) return { fixed: 0, removed: 0, held: 0 };
  const { deployment, project, analysis } = target;
  await stageCoverage(tx, covered);
  await tx.run`
    insert into closing (finding_id, verdict, was_held)
    select * from (
      select detection.finding_id, ${verdict(covered)} as verdict, detection.is_held
      from known
      join detection on detection.deployment_id = ${deployment} and detection.analysis_id = ${analysis}
        and detection.finding_id = known.finding_id
      join finding on finding.deployment_id = ${deployment} and finding.project_id = ${project}
        and finding.id = known.finding_id
      where known.is_here and not exists (select from pair where pair.finding_id = known.finding_id)) as unseen
    where verdict is not null`;
  await tellIgnored(tx, covered.isIgnored);
  const held = await hold(tx, target, stamp);
  const closed = await shut(tx, target, stamp);
  return { ...closed, held };
}

/** Detections in paths that are now ignored are removed, not fixed. */
async function tellIgnored(tx: Tx, isIgnored: IgnoreMatcher): Promise<void> {
  const places = await tx.rows`
    select distinct known.product, known.path from closing join known using (finding_id)
    where closing.verdict = 'fixed'`;
  const ignored = places.filter((row) => isIgnored(String(row['product']), String(row['path'])));
  if (ignored.length === 0) return;
  await tx.run`
    update closing set verdict = 'path_ignored'
    from known, unnest(${ignored.map((row) => row['product'])}::text[], ${ignored.map((row) => row['path'])}::text[])
      as ignored (product, path)
    where known.finding_id = closing.finding_id and known.product = ignored.product and known.path = ignored.path
      and closing.verdict = 'fixed'`;
}

/** True if the scan would close many findings while covering less than the last full scan. */
async function isSuspicious(tx: Tx, { deployment, analysis }: TrackingTarget, closing: Closing): Promise<boolean> {
  const { covered, sameCount } = closing;
  const [row] = await tx.rows`
    select (select count(*) from closing) as closing, (select count(*) from stage_finding as incoming) as incoming,
      (select count(*) from known where is_here) as open,
      rule_count, path_count
    from analysis where deployment_id = ${deployment} and id = ${analysis}`;
  const count = Number(row?.['closing']);
  if (count < FEWEST_HELD || count <= LARGEST_SHARE * (Number(row?.['open']) + sameCount)) return false;
  const rules = row?.['rule_count'] as number | null;
  const paths = row?.['path_count'] as number | null;
  const hasFewerRules = rules !== null && covered.rulesRun !== undefined && covered.rulesRun.length < rules;
  const hasFewerPaths =
    paths !== null && covered.pathsSearched !== undefined && covered.pathsSearched.length < LARGEST_FALL * paths;
  return hasFewerRules || hasFewerPaths || Number(row?.['incoming']) + sameCount === 0;
}

async function hold(tx: Tx, target: TrackingTarget, stamp: Closing): Promise<number> {
  if (!(await isSuspicious(tx, target, stamp))) return 0;
  const { deployment, analysis } = target;
  await tx.run`update closing set verdict = 'held' where not was_held`;
  return tx.run`
    with marked as (
      update detection set is_held = true, changed_at = ${stamp.at}, changed_scan_id = ${stamp.scan}
      from closing where closing.verdict = 'held' and detection.deployment_id = ${deployment}
        and detection.analysis_id = ${analysis} and detection.finding_id = closing.finding_id
      returning detection.finding_id
    )
    insert into finding_event (deployment_id, finding_id, batch_id, analysis_id, kind, at)
    select ${deployment}, finding_id, ${stamp.batch}, ${analysis}, 'held', ${stamp.at} from marked`;
}

async function shut(
  tx: Tx,
  { deployment, analysis }: TrackingTarget,
  stamp: ScanStamp,
): Promise<Omit<ClosedCounts, 'held'>> {
  const rows = await tx.rows`
    with shut as (
      update detection set state = case verdict when 'fixed' then 'fixed' else 'removed' end,
        reason = nullif(verdict, 'fixed'), is_held = false, changed_at = ${stamp.at}, changed_scan_id = ${stamp.scan}
      from closing
      where detection.deployment_id = ${deployment} and detection.analysis_id = ${analysis}
        and detection.finding_id = closing.finding_id and closing.verdict <> 'held'
      returning detection.finding_id, detection.state, detection.reason
    ),
    told as (
      insert into finding_event (deployment_id, finding_id, batch_id, analysis_id, kind, at, before, after)
      select ${deployment}, finding_id, ${stamp.batch}, ${analysis}, state, ${stamp.at}, '{"state": "detected"}',
        jsonb_build_object('reason', reason)
      from shut order by finding_id
    )
    select state, count(*) as count from shut group by state`;
  const of = (state: string) => Number(rows.find((row) => row['state'] === state)?.['count'] ?? 0);
  return { fixed: of('fixed'), removed: of('removed') };
}
