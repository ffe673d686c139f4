import { z } from 'zod';
import { type Sql, sql, unestimated } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { TrackingTarget } from './candidates.ts';
import { announceNewIds } from './id-snapshot.ts';

/** The scan that makes changes, its batch and its time. */
export interface ScanStamp {
  scan: string;
  batch: string;
  at: Date;
  /** The scan is of the project's primary ref. */
  isPrimaryRef: boolean;
}

/** The columns of a result; missing values come from its rule. */
const resultFacts = sql`
  tool.tool, coalesce(rule.product, incoming.product) as product, incoming.rule,
  coalesce(incoming.title, rule.title, incoming.rule) as title, incoming.message,
  coalesce(incoming.severity, rule.severity, 2)::smallint as severity,
  coalesce(incoming.confidence, rule.confidence, 2)::smallint as confidence,
  coalesce(incoming.category, rule.category, 'other') as category,
  coalesce(incoming.cwes, rule.cwes, '{}') as cwes, coalesce(incoming.owasps, rule.owasps, '{}') as owasps,
  incoming.path, incoming.place_kind, incoming.line, incoming.start_column, incoming.end_line, incoming.end_column,
  incoming.code, incoming.scope, incoming.context, incoming.context_digest, incoming.syntactic_id,
  incoming.match_based_id,
  coalesce(incoming.mode, 'monitor') as mode, incoming.advisory, incoming.package, incoming.package_version,
  incoming.ecosystem, incoming.transitivity, incoming.reachability, incoming.secret_type, incoming.validation,
  coalesce(rule.detail, '{}') || incoming.detail as detail`;

const factColumns = sql`tool, product, rule, title, message, severity, confidence, category, cwes, owasps, path,
  place_kind, line, start_column, end_line, end_column, code, scope, context, context_digest, syntactic_id,
  match_based_id, mode, advisory, package, package_version, ecosystem, transitivity, reachability, secret_type,
  validation, detail`;

const resultsWithRules = sql`stage_finding as incoming join stage_tool as tool using (run)
  left join stage_rule as rule on rule.run = incoming.run and rule.rule = incoming.rule`;

/** What the scanner reports now about findings that existed before. */
export const matchedFacts = sql`
  select matched.finding_id, ${resultFacts} from ${resultsWithRules} join matched using (n)
  where matched.pass <> 'new'`;

/** Creates findings for results without a match. Returns their number. */
export async function insertNewFindings(tx: Tx, target: TrackingTarget, stamp: ScanStamp): Promise<number> {
  const { deployment, project } = target;
  await announceNewIds(tx);
  const opened = await tx.run`
    insert into matched (n, finding_id, pass)
    select n, nextval('finding_id'), 'new' from (
      select n from stage_finding as incoming where not exists (select from matched where matched.n = incoming.n)
      order by path, line, start_column, n) as new_result`;
  if (opened === 0) return 0;
  await tx.run`
    insert into finding (deployment_id, id, project_id, ${factColumns}, state, is_muted, first_scan_id, first_seen_at,
      relevant_since)
    select ${deployment}, matched.finding_id, ${project}, ${resultFacts},
      case when ${stamp.isPrimaryRef} or coalesce(rule.product,
        incoming.product) = 'secrets' then 'detected' else 'elsewhere' end,
      incoming.is_muted, ${stamp.scan}, ${stamp.at}, ${stamp.at}
    from ${resultsWithRules} join matched using (n) where matched.pass = 'new'
    order by matched.finding_id`;
  return opened;
}

/**
 * Stores fingerprints that a finding does not have yet: all of a new finding's, and those that a tool or a new version
 * adds.
 */
export async function saveFingerprints(tx: Tx, { deployment, project }: TrackingTarget): Promise<void> {
  await tx.run`
    insert into fingerprint (deployment_id, project_id, digest, finding_id, kind)
    select distinct on (staged.digest, matched.finding_id) ${deployment}::bigint, ${project}::bigint, staged.digest,
      matched.finding_id, staged.kind
    from stage_fingerprint as staged join matched using (n)
    where not exists (select from candidate_fingerprint
      where candidate_fingerprint.finding_id = matched.finding_id and candidate_fingerprint.digest = staged.digest)
    on conflict do nothing`;
}

const location = (table: Sql) => sql`(${table}.path, ${table}.line, ${table}.start_column, ${table}.end_line,
  ${table}.end_column)`;

const locationJson = (table: Sql) => sql`jsonb_build_object('path', ${table}.path, 'line', ${table}.line)`;

const DetectionCounts = z.object({
  moved: z.coerce.number(),
  reopened: z.coerce.number(),
  unchanged: z.coerce.number(),
});
export type DetectionCounts = z.output<typeof DetectionCounts>;

/** Records that the analysis detects the matched findings; unchanged rows are not written. */
export async function recordDetections(
  tx: Tx,
  { deployment, analysis }: TrackingTarget,
  stamp: ScanStamp,
): Promise<DetectionCounts> {
  await tx.run`
    create temporary table seen on commit drop as
    select matched.n, matched.finding_id, matched.pass, detection.state, detection.reason, detection.path as old_path,
      detection.line as old_line,
      detection.state = 'detected'
        and ${location(sql`detection`)} is distinct from ${location(sql`incoming`)} as is_moved,
      detection.is_muted is distinct from incoming.is_muted or detection.is_held as is_changed,
      detection.content_digest is distinct from incoming.content_digest as has_new_content
    from matched join stage_finding as incoming using (n)
    left join detection on detection.deployment_id = ${unestimated(deployment)} and detection.analysis_id = ${analysis}
      and detection.finding_id = matched.finding_id`;
  await tx.run`analyze seen`;
  await tx.run`
    update detection set state = 'detected', reason = null, is_held = false, evidence = seen.pass,
      is_muted = incoming.is_muted, path = incoming.path, line = incoming.line, start_column = incoming.start_column,
      end_line = incoming.end_line, end_column = incoming.end_column,
      detected_at = case when seen.state = 'detected' then detection.detected_at else ${stamp.at} end,
      changed_at = ${stamp.at}, changed_scan_id = ${stamp.scan}, content_digest = incoming.content_digest
    from seen join stage_finding as incoming using (n)
    where detection.deployment_id = ${unestimated(deployment)} and detection.analysis_id = ${analysis}
      and detection.finding_id = seen.finding_id and (seen.state <> 'detected' or seen.is_moved or seen.is_changed)`;
  await tx.run`
    update detection set content_digest = incoming.content_digest
    from seen join stage_finding as incoming using (n)
    where detection.deployment_id = ${unestimated(deployment)} and detection.analysis_id = ${analysis}
      and detection.finding_id = seen.finding_id and seen.has_new_content and seen.state = 'detected'
      and not seen.is_moved and not seen.is_changed`;
  await tx.run`
    insert into detection (deployment_id, analysis_id, finding_id, state, evidence, is_muted, path, line, start_column,
      end_line, end_column, first_scan_id, detected_at, changed_at, changed_scan_id, content_digest)
    select ${deployment}, ${analysis}, seen.finding_id, 'detected', seen.pass, incoming.is_muted, incoming.path,
      incoming.line, incoming.start_column, incoming.end_line, incoming.end_column, ${stamp.scan}, ${stamp.at},
      ${stamp.at}, ${stamp.scan}, incoming.content_digest
    from seen join stage_finding as incoming using (n) where seen.state is null
    order by seen.finding_id`;
  await tx.run`
    insert into finding_event (deployment_id, finding_id, batch_id, analysis_id, kind, at, before, after)
    select ${deployment}, seen.finding_id, ${stamp.batch}, ${analysis},
      case seen.state when 'fixed' then 'reopened' when 'removed' then 'redetected' else 'moved' end, ${stamp.at},
      jsonb_build_object('state', seen.state, 'reason', seen.reason, 'path', seen.old_path, 'line', seen.old_line),
      ${locationJson(sql`incoming`)} || jsonb_build_object('pass', seen.pass)
    from seen join stage_finding as incoming using (n) where seen.state <> 'detected' or seen.is_moved
    order by seen.finding_id`;
  const counts = await tx.one(DetectionCounts)`
    select count(*) filter (where is_moved) as moved, count(*) filter (where state = 'fixed') as reopened,
      count(*) filter (where pass <> 'new' and not coalesce(is_moved, false) and state is distinct from 'fixed')
        as unchanged
    from seen`;
  return counts ?? { moved: 0, reopened: 0, unchanged: 0 };
}

/** Updates findings with what the scanner reports now; triage is never changed (C8). */
export async function updateFindings(
  tx: Tx,
  { deployment, project }: TrackingTarget,
  { isPrimaryRef }: ScanStamp,
): Promise<void> {
  await tx.run`
    update finding set (${factColumns}) = (finding.tool, fact.product, fact.rule, fact.title, fact.message,
      fact.severity, fact.confidence, fact.category, fact.cwes, fact.owasps, fact.path, fact.place_kind,
      fact.line, fact.start_column, fact.end_line, fact.end_column,
      coalesce(fact.code, finding.code), coalesce(fact.scope, finding.scope), coalesce(fact.context, finding.context),
      coalesce(fact.context_digest, finding.context_digest), fact.syntactic_id, fact.match_based_id, fact.mode,
      fact.advisory, fact.package, fact.package_version, fact.ecosystem, fact.transitivity, fact.reachability,
      fact.secret_type, fact.validation, fact.detail),
      version = finding.version + 1
    from (${matchedFacts}) as fact
    where finding.deployment_id = ${unestimated(deployment)} and finding.project_id = ${project}
      and finding.id = fact.finding_id
      and (${isPrimaryRef} or finding.state <> 'detected')
      and (finding.message, finding.severity, finding.confidence, finding.title, finding.path, finding.line,
        finding.start_column, finding.end_line, finding.end_column, finding.code, finding.context_digest, finding.mode,
        finding.category, finding.cwes, finding.owasps, finding.advisory, finding.package_version,
        finding.transitivity, finding.reachability, finding.secret_type, finding.validation, finding.match_based_id,
        finding.detail)
        is distinct from (fact.message, fact.severity, fact.confidence, fact.title, fact.path, fact.line,
        fact.start_column, fact.end_line, fact.end_column, coalesce(fact.code, finding.code),
        coalesce(fact.context_digest, finding.context_digest), fact.mode, fact.category, fact.cwes, fact.owasps,
        fact.advisory, fact.package_version, fact.transitivity, fact.reachability, fact.secret_type, fact.validation,
        fact.match_based_id, fact.detail)`;
}
