import { z } from 'zod';
import { REPORT_FORMATS } from '#domain/reports/shape.ts';
import { unestimated } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { type IngestJob, type IngestOutcome, lockProject, openScanBatch } from './ingest.ts';

export interface SkippedImport extends IngestOutcome {
  scan: string;
}

const LastImport = z.object({
  id: z.string(),
  key: z.string(),
  scan: z.string(),
  format: z.enum([...REPORT_FORMATS, 'unknown']),
  tool: z.string(),
  warnings: z.array(z.string()).optional(),
  unchanged: z.number(),
});

type ScanJob = Omit<IngestJob, 'hasCompleteRuleList' | 'ignores'>;

/**
 * Imports a report that is byte for byte the last one of its analysis, without reading it. Undefined if anything
 * changed in between, or if the report has decisions.
 */
export async function skipIdentical(tx: Tx, job: ScanJob, inputDigest: string): Promise<SkippedImport | undefined> {
  if (job.mode !== 'full') return undefined;
  await lockProject(tx, job);
  const last = await tx.one(LastImport)`
    select analysis.id, analysis.key, scan.id as scan, scan.format, scan.tool, scan.changes->'warnings' as warnings,
      scan.found_code + scan.found_supply_chain + scan.found_secrets as unchanged
    from analysis join scan on scan.deployment_id = analysis.deployment_id and scan.id = analysis.last_scan_id
    where analysis.deployment_id = ${unestimated(job.deployment)} and analysis.ref_id = ${job.ref}
      and analysis.digest = ${inputDigest} and analysis.last_full_scan_id = scan.id and scan.status = 'completed'
      and not exists (select from detection where detection.deployment_id = analysis.deployment_id
        and detection.analysis_id = analysis.id
        and (detection.is_held or detection.changed_at > analysis.last_scanned_at))`;
  if (!last) return undefined;
  await openScanBatch(tx, job);
  await tx.run`
    update analysis set last_scan_id = ${job.scan}, last_full_scan_id = ${job.scan}, last_scanned_at = ${job.at}
    where deployment_id = ${unestimated(job.deployment)} and id = ${last.id}`;
  await tx.run`
    update scan set ref_id = ${job.ref}, found_code = last.found_code,
      found_supply_chain = last.found_supply_chain, found_secrets = last.found_secrets
    from scan as last
    where last.deployment_id = ${unestimated(job.deployment)} and last.id = ${last.scan}
      and scan.deployment_id = ${unestimated(job.deployment)} and scan.id = ${job.scan}`;
  await tx.run`
    update project set latest_scan_at = ${job.at} where deployment_id = ${unestimated(job.deployment)}
      and id = ${job.project}`;
  return {
    scan: job.scan,
    format: last.format,
    tool: last.tool,
    analysisKey: last.key,
    opened: 0,
    fixed: 0,
    reopened: 0,
    removed: 0,
    unchanged: last.unchanged,
    moved: 0,
    held: 0,
    warnings: last.warnings ?? [],
  };
}
