import type { ScanMode } from '#domain/scans/store.ts';
import { unestimated } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { TrackingTarget } from '../tracking/candidates.ts';
import type { ReportSummary } from './stager.ts';
import { rulesetDigestOf } from './unchanged.ts';

interface AnalysisUpdate {
  job: { scan: string; mode: ScanMode; at: Date; inputDigest?: string };
  summary: ReportSummary;
  /** Closings of this scan wait for confirmation; until then it is not what later scans are measured by. */
  hasHeldClosings: boolean;
  /** All results were stored as reported. */
  isComparable: boolean;
}

/** Stores what the next scan of this analysis is compared with. Reports with decisions are always read again. */
export async function updateAnalysis(
  tx: Tx,
  target: TrackingTarget,
  { job, summary, hasHeldClosings, isComparable }: AnalysisUpdate,
): Promise<void> {
  const { coverage, dependencyCount, unchanged } = summary;
  const isFull = job.mode === 'full' && coverage.isIncomplete !== true;
  const isConclusive = summary.decisionCount === 0 && !hasHeldClosings;
  const isMeasure = isFull && !hasHeldClosings;
  await tx.run`
    update analysis set last_scan_id = ${job.scan}, last_scanned_at = ${job.at},
      digest = ${isFull && isConclusive && dependencyCount === 0 ? (job.inputDigest ?? null) : null},
      ruleset_digest = ${isFull && isConclusive && isComparable ? rulesetDigestOf(summary) : null},
      last_full_scan_id = case when ${isFull} then ${job.scan}::bigint else last_full_scan_id end,
      rule_count = case when ${isMeasure} then ${coverage.rulesRun?.length ?? null}::integer else rule_count end,
      path_count = case when ${isMeasure} then ${coverage.pathsSearched?.length ?? null}::integer else path_count end
    where deployment_id = ${unestimated(target.deployment)} and id = ${target.analysis}`;
  await tx.run`
    update scan set ref_id = ${target.ref}, found_code = found.code + ${unchanged.sast},
      found_supply_chain = found.supply_chain + ${unchanged.sca}, found_secrets = found.secrets + ${unchanged.secrets}
    from (select count(*) filter (where product not in ('sca', 'secrets')) as code,
        count(*) filter (where product = 'sca') as supply_chain, count(*) filter (where product = 'secrets') as secrets
      from stage_finding as incoming) as found
    where deployment_id = ${unestimated(target.deployment)} and id = ${job.scan}`;
  await tx.run`
    update project set latest_scan_at = ${job.at}
    where deployment_id = ${unestimated(target.deployment)} and id = ${target.project}`;
}
