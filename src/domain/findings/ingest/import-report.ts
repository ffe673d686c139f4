import { z } from 'zod';
import * as ignores from '#domain/ignores/store.ts';
import { ReportError } from '#domain/reports/report-error.ts';
import { REPORT_FORMATS } from '#domain/reports/shape.ts';
import type { ParseOptions } from '#domain/reports/worker/parse-in-worker.ts';
import { announceScanEnd } from '#domain/scans/scan-ended.ts';
import { saveReport } from '#domain/scans/scan-report.ts';
import { SemaphoreFull } from '#kernel/concurrency/semaphore.ts';
import { RATE_LIMITED } from '#kernel/contract/common-faults.ts';
import { Outage, StatementTimeout } from '#kernel/contract/fault.ts';
import type { KeyRing } from '#kernel/crypto/keys/key-ring.ts';
import { unestimated } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { Services } from '#kernel/http/pipeline/services.ts';
import type { SpooledBody } from '#kernel/spool/spool.ts';
import { fingerprintDigest } from '../tracking/finding-identity.ts';
import { type IngestJob, type IngestOutcome, ingest } from './ingest.ts';
import { parserVersion } from './open-result-cache.ts';
import { skipIdentical } from './skip-identical.ts';
import { type CacheInput, stageInWorker } from './stage-report.ts';
import type { StagerOptions } from './stager.ts';

export interface ReportDelivery {
  deployment: string;
  /** The project's id or name; imports of one project run one after the other. */
  project: string;
  spooled: SpooledBody;
  parse: ParseOptions;
  /** Reports what would change, and changes nothing. */
  isDryRun: boolean;
  /** The scan has no further reports. */
  isComplete: boolean;
  /** Creates the scan in the transaction of the import. */
  startScan(tx: Tx): Promise<StartedScan>;
}

export interface StartedScan extends Omit<IngestJob, 'hasCompleteRuleList' | 'ignores'> {
  commit?: string;
}

export interface ImportResult extends IngestOutcome {
  scan: string;
}

interface ImportMeans {
  services: Services;
  /** Ends the import when its sender leaves. */
  disconnected: AbortSignal;
  transactLong<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>;
}

/** Carries the result of a dry run out of the transaction that it rolls back. */
class DryRunEnd extends Error {
  readonly result: ImportResult;

  constructor(result: ImportResult) {
    super('The dry run is rolled back.');
    this.result = result;
  }
}

const MAX_ATTEMPTS = 20;
const RETRY_DELAY_MS = 1500;

const TOO_SLOW = 'comparing its results with the findings of the project took too long.';

const LastScan = z.object({
  id: z.string(),
  format: z.enum([...REPORT_FORMATS, 'unknown']),
  tool: z.string(),
  analysis_key: z.string(),
  unchanged: z.number(),
});

/** Formats that list every rule that ran. */
const FORMATS_WITH_ALL_RULES: ReadonlySet<string> = new Set(['semgrep-ci']);

/**
 * Imports a spooled report in one transaction. If the database becomes unavailable, the import is retried, so that the
 * client does not have to send the report again.
 */
export async function importSpooledReport(
  { services, transactLong, disconnected }: ImportMeans,
  delivery: ReportDelivery,
): Promise<ImportResult> {
  const { deployment, project } = delivery;
  const task = async () => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await transactLong((tx) => attemptOnce(tx, services, delivery));
      } catch (error) {
        if (error instanceof DryRunEnd) return error.result;
        if (error instanceof StatementTimeout) throw new ReportError('TOO_SLOW', TOO_SLOW);
        if (!(error instanceof Outage) || disconnected.aborted || attempt === MAX_ATTEMPTS) throw error;
        // A disk that is full stops the embedded database; waiting would not help.
        await services.diskSpace.requireSpace();
        await services.sleep(RETRY_DELAY_MS);
      }
    }
  };
  const turn = { key: `${deployment}/${project}`, group: deployment, signal: disconnected };
  try {
    return await services.importSemaphore.run(task, turn);
  } catch (error) {
    if (!(error instanceof SemaphoreFull)) throw error;
    throw RATE_LIMITED({ policy: 'waiting imports' }, { headers: { 'retry-after': '10' } });
  }
}

/** The key that identifies equal secrets within a deployment without storing them. */
export const secretDigestOptions = (keys: KeyRing, deployment: string): StagerOptions['secrets'] => ({
  key: keys.derive('secret-identity'),
  deployment,
});

async function attemptOnce(tx: Tx, services: Services, delivery: ReportDelivery): Promise<ImportResult> {
  const scan = await delivery.startScan(tx);
  // A scan with further reports is not complete after this one.
  const canSkip = delivery.isComplete && !delivery.isDryRun;
  // A report that is read by a mapping may be read anew, because the mapping may have changed.
  const mayBeKnown = canSkip && delivery.parse.mapping === undefined;
  const earlier = mayBeKnown ? await findIdenticalScan(tx, scan, delivery.spooled.digest) : undefined;
  if (earlier) return earlier;
  const ignoreLists = await ignores.list(tx, scan.deployment);
  const version = await parserVersion();
  const inputDigest = inputDigestOf(delivery, scan, { ignoreLists, version });
  const skipped = canSkip ? await skipIdentical(tx, scan, inputDigest) : undefined;
  if (skipped) return conclude(tx, { delivery, scan, result: skipped });
  const secrets = secretDigestOptions(services.keys, scan.deployment);
  const { heapMb: _heapMb, cpuMs: _cpuMs, signal: _signal, ...options } = delivery.parse;
  const read = ({ secretRules = [], ...cacheInput }: CacheInput) =>
    stageInWorker(
      delivery.spooled.read(),
      {
        reading: { ...options, secretRules },
        staging: { ignores: ignoreLists, secrets },
        cacheState: { ...cacheInput, parserVersion: version },
      },
      delivery.parse,
    );
  const hasCompleteRuleList = (format: string) => FORMATS_WITH_ALL_RULES.has(format);
  const outcome = await ingest(tx, { ...scan, inputDigest, ignores: ignoreLists, hasCompleteRuleList }, read);
  const result: ImportResult = { ...outcome, scan: scan.scan };
  if (delivery.isDryRun) throw new DryRunEnd(result);
  return conclude(tx, { delivery, scan, result });
}

/**
 * Identifies the input of an import: bytes, options and parser version. If any of them differs, the result may differ.
 */
function inputDigestOf(
  { spooled, parse }: ReportDelivery,
  { category, products, policyModes = [] }: StartedScan,
  { ignoreLists, version }: { ignoreLists: readonly ignores.IgnoreList[]; version: string },
): string {
  const { format = 'auto', root = '', mapping } = parse;
  return fingerprintDigest(
    'input@1',
    version,
    spooled.digest,
    format,
    root,
    category ?? '',
    (products ?? ['all']).join(),
    JSON.stringify(ignoreLists),
    ...(mapping ? [JSON.stringify(mapping)] : []),
    ...(policyModes.length > 0 ? [JSON.stringify(policyModes)] : []),
  );
}

async function conclude(
  tx: Tx,
  { delivery, scan, result }: { delivery: ReportDelivery; scan: StartedScan; result: ImportResult },
): Promise<ImportResult> {
  await saveReport(tx, { deployment: scan.deployment, scan: scan.scan }, delivery.spooled.read());
  await recordScanResult(tx, scan, { ...result, digest: delivery.spooled.digest, isComplete: delivery.isComplete });
  return result;
}

/** Stores the result of an import on its scan. */
export async function recordScanResult(
  tx: Tx,
  { deployment, scan, at }: Pick<StartedScan, 'deployment' | 'scan' | 'at'>,
  result: ImportResult & { digest: string | null; isComplete: boolean },
): Promise<void> {
  const { analysisKey, tool, warnings, scan: _, format, digest, isComplete, ...counts } = result;
  await tx.run`
    update scan set format = ${format}, tool = ${tool}, analysis_key = ${analysisKey}, digest = ${digest},
      changes = ${JSON.stringify({ ...counts, warnings })}::jsonb,
      status = case when ${isComplete} then 'completed' else status end,
      completed_at = case when ${isComplete} then ${at}::timestamptz end
    where deployment_id = ${unestimated(deployment)} and id = ${scan}`;
  if (isComplete) await announceScanEnd(tx, { deployment, scan });
}

/**
 * The result of the last scan of this ref, if it had the same commit and the same report: there is nothing to do.
 * Without a commit it may be another scan, which confirms closings that the last one held.
 */
async function findIdenticalScan(tx: Tx, job: StartedScan, digest: string): Promise<ImportResult | undefined> {
  const last = await tx.one(LastScan)`
    select scan.id, scan.format, scan.tool, scan.analysis_key,
      scan.found_code + scan.found_supply_chain + scan.found_secrets as unchanged
    from analysis join scan on scan.deployment_id = analysis.deployment_id and scan.id = analysis.last_scan_id
    where analysis.deployment_id = ${unestimated(job.deployment)} and analysis.ref_id = ${job.ref}
      and scan.status = 'completed' and scan.digest = ${digest} and scan.mode = ${job.mode}
      and scan.commit is not distinct from ${job.commit ?? null}
      and (scan.commit is not null or not exists (
        select from detection where detection.deployment_id = analysis.deployment_id
          and detection.analysis_id = analysis.id and detection.is_held))`;
  if (!last) return undefined;
  await tx.run`delete from scan where deployment_id = ${unestimated(job.deployment)} and id = ${job.scan}`;
  return {
    scan: last.id,
    format: last.format,
    tool: last.tool,
    analysisKey: last.analysis_key,
    opened: 0,
    fixed: 0,
    reopened: 0,
    removed: 0,
    unchanged: last.unchanged,
    moved: 0,
    held: 0,
    warnings: [`This report was already imported as scan ${last.id}; nothing was done again.`],
  };
}
