import * as ignores from '#domain/ignores/store.ts';
import type { ParseOptions } from '#domain/reports/worker/parse-in-worker.ts';
import { saveReport } from '#domain/scans/scan-report.ts';
import { Outage } from '#kernel/contract/fault.ts';
import type { KeyRing } from '#kernel/crypto/keys/key-ring.ts';
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

interface Means {
  services: Services;
  transactLong<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>;
}

/** Carries the result of a dry run out of the transaction that it rolls back. */
class Undone extends Error {
  readonly delivered: ImportResult;

  constructor(delivered: ImportResult) {
    super('A dry run leaves nothing behind.');
    this.delivered = delivered;
  }
}

const ATTEMPTS = 20;
const PAUSE_MS = 1500;

/** Formats that list every rule that ran. */
const EXACT: ReadonlySet<string> = new Set(['semgrep-ci']);

/**
 * Imports a spooled report in one transaction. If the database becomes unavailable, the import is retried, so that the
 * client does not have to send the report again.
 */
export async function importSpooledReport(
  { services, transactLong }: Means,
  delivery: ReportDelivery,
): Promise<ImportResult> {
  const key = `${delivery.deployment}/${delivery.project}`;
  const task = async () => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await transactLong((tx) => attemptOnce(tx, services, delivery));
      } catch (error) {
        if (error instanceof Undone) return error.delivered;
        if (!(error instanceof Outage) || attempt === ATTEMPTS) throw error;
        await services.sleep(PAUSE_MS);
      }
    }
  };
  return services.importSemaphore.run(task, { key });
}

/** The key that identifies equal secrets within a deployment without storing them. */
export const secretDigestOptions = (keys: KeyRing, deployment: string): StagerOptions['secrets'] => ({
  key: keys.derive('secret-identity'),
  deployment,
});

async function attemptOnce(tx: Tx, services: Services, delivery: ReportDelivery): Promise<ImportResult> {
  const job = await delivery.startScan(tx);
  // A scan with further reports is not complete after this one.
  const isAll = delivery.isComplete && !delivery.isDryRun;
  const before = isAll ? await sameBefore(tx, job, delivery.spooled.digest) : undefined;
  if (before) return before;
  const ignored = await ignores.list(tx, job.deployment);
  const reader = await parserVersion();
  const reading = readingOf(delivery, job, { ignored, reader });
  const repeated = isAll ? await skipIdentical(tx, job, reading) : undefined;
  if (repeated) return conclude(tx, { delivery, job, delivered: repeated });
  const secrets = secretDigestOptions(services.keys, job.deployment);
  const { heapMb: _heapMb, cpuMs: _cpuMs, signal: _signal, ...options } = delivery.parse;
  const read = ({ secretRules = [], ...remembering }: CacheInput) =>
    stageInWorker(
      delivery.spooled.read(),
      {
        reading: { ...options, secretRules },
        staging: { ignores: ignored, secrets },
        cacheState: { ...remembering, parserVersion: reader },
      },
      delivery.parse,
    );
  const isExactAboutRules = (format: string) => EXACT.has(format);
  const outcome = await ingest(
    tx,
    { ...job, inputDigest: reading, ignores: ignored, hasCompleteRuleList: isExactAboutRules },
    read,
  );
  const delivered: ImportResult = { ...outcome, scan: job.scan };
  if (delivery.isDryRun) throw new Undone(delivered);
  return conclude(tx, { delivery, job, delivered });
}

/**
 * Identifies the input of an import: bytes, options and parser version. If any of them differs, the result may differ.
 */
function readingOf(
  { spooled, parse }: ReportDelivery,
  { category, products, policyModes = [] }: StartedScan,
  { ignored, reader }: { ignored: readonly ignores.IgnoreList[]; reader: string },
): string {
  const { format = 'auto', root = '' } = parse;
  return fingerprintDigest(
    'reading@1',
    reader,
    spooled.digest,
    format,
    root,
    category ?? '',
    (products ?? ['all']).join(),
    JSON.stringify(ignored),
    ...(policyModes.length > 0 ? [JSON.stringify(policyModes)] : []),
  );
}

async function conclude(
  tx: Tx,
  { delivery, job, delivered }: { delivery: ReportDelivery; job: StartedScan; delivered: ImportResult },
): Promise<ImportResult> {
  await saveReport(tx, { deployment: job.deployment, scan: job.scan }, delivery.spooled.read());
  await recordScanResult(tx, job, { ...delivered, digest: delivery.spooled.digest, isComplete: delivery.isComplete });
  return delivered;
}

/** Stores the result of an import on its scan. */
export async function recordScanResult(
  tx: Tx,
  { deployment, scan, at }: Pick<StartedScan, 'deployment' | 'scan' | 'at'>,
  settled: ImportResult & { digest: string | null; isComplete: boolean },
): Promise<void> {
  const { analysisKey, tool, warnings, scan: _, format, digest, isComplete, ...counts } = settled;
  await tx.run`
    update scan set format = ${format}, tool = ${tool}, analysis_key = ${analysisKey}, digest = ${digest},
      changes = ${JSON.stringify({ ...counts, warnings })}::jsonb,
      status = case when ${isComplete} then 'completed' else status end,
      completed_at = case when ${isComplete} then ${at}::timestamptz end
    where deployment_id = ${deployment} and id = ${scan}`;
}

/** The last scan of this ref had the same commit and the same report: there is nothing to do. */
async function sameBefore(tx: Tx, job: StartedScan, digest: string): Promise<ImportResult | undefined> {
  const [row] = await tx.rows`
    select scan.id, scan.format, scan.tool, scan.analysis_key,
      scan.found_code + scan.found_supply_chain + scan.found_secrets as unchanged
    from analysis join scan on scan.deployment_id = analysis.deployment_id and scan.id = analysis.last_scan_id
    where analysis.deployment_id = ${job.deployment} and analysis.ref_id = ${job.ref}
      and scan.status = 'completed' and scan.digest = ${digest} and scan.mode = ${job.mode}
      and scan.commit is not distinct from ${job.commit ?? null}`;
  if (!row) return undefined;
  await tx.run`delete from scan where deployment_id = ${job.deployment} and id = ${job.scan}`;
  const scan = String(row['id']);
  return {
    scan,
    format: row['format'] as ImportResult['format'],
    tool: String(row['tool']),
    analysisKey: String(row['analysis_key']),
    opened: 0,
    fixed: 0,
    reopened: 0,
    removed: 0,
    unchanged: Number(row['unchanged']),
    moved: 0,
    held: 0,
    warnings: [`This report was handed in before, as scan ${scan}; nothing was done again.`],
  };
}
