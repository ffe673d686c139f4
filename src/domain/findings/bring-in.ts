import * as ignores from '#domain/ignores/store.ts';
import type { ParseOptions } from '#domain/reports/parse-in-worker.ts';
import { keepReport } from '#domain/scans/reports.ts';
import { Outage } from '#kernel/contract/fault.ts';
import type { KeyRing } from '#kernel/crypto/keys.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { Powers } from '#kernel/http/powers.ts';
import type { Spooled } from '#kernel/spool/spool.ts';
import { digestOf } from './identity.ts';
import { type Ingest, ingest, type Outcome } from './ingest.ts';
import { readerVersion } from './remembering.ts';
import { repeat } from './repeat.ts';
import type { StagerOptions } from './stager.ts';
import { type Knowing, stageInWorker } from './staging.ts';

export interface Delivery {
  deployment: string;
  /** The project, by whatever is known of it before the transaction: deliveries of one wait for each other. */
  project: string;
  spooled: Spooled;
  parse: ParseOptions;
  /** Shows what would change, and changes nothing. */
  isDryRun: boolean;
  /** The report is all that the scan has to say. */
  isComplete: boolean;
  /** Opens the scan in the transaction that brings its report in. */
  begin(tx: Tx): Promise<Begun>;
}

export interface Begun extends Omit<Ingest, 'isExactAboutRules' | 'ignores'> {
  commit?: string;
}

export interface Delivered extends Outcome {
  scan: string;
}

interface Means {
  powers: Powers;
  transactLong<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>;
}

/** Carries the outcome of a dry run out of the transaction that it undoes. */
class Undone extends Error {
  readonly delivered: Delivered;

  constructor(delivered: Delivered) {
    super('A dry run leaves nothing behind.');
    this.delivered = delivered;
  }
}

const ATTEMPTS = 20;
const PAUSE_MS = 1500;

/** Scanners of this format say exactly which rules ran. */
const EXACT: ReadonlySet<string> = new Set(['semgrep-ci']);

/**
 * Brings a received report in: all of it in one transaction, or none. When the database goes away meanwhile, the
 * spooled report is brought in again as soon as it is back, so that the sender need not know.
 */
export async function bringIn({ powers, transactLong }: Means, delivery: Delivery): Promise<Delivered> {
  const key = `${delivery.deployment}/${delivery.project}`;
  return powers.turns.take(key, async () => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await transactLong((tx) => attemptOnce(tx, powers, delivery));
      } catch (error) {
        if (error instanceof Undone) return error.delivered;
        if (!(error instanceof Outage) || attempt === ATTEMPTS) throw error;
        await powers.pause(PAUSE_MS);
      }
    }
  });
}

/** By what a secret is known again in one deployment, without being kept. */
export const secretsOf = (keys: KeyRing, deployment: string): StagerOptions['secrets'] => ({
  key: keys.derive('secret-identity'),
  deployment,
});

async function attemptOnce(tx: Tx, powers: Powers, delivery: Delivery): Promise<Delivered> {
  const job = await delivery.begin(tx);
  // A scan that has more to say than its report is not over with it.
  const isAll = delivery.isComplete && !delivery.isDryRun;
  const before = isAll ? await sameBefore(tx, job, delivery.spooled.digest) : undefined;
  if (before) return before;
  const ignored = await ignores.list(tx, job.deployment);
  const reader = await readerVersion();
  const reading = readingOf(delivery, job, { ignored, reader });
  const repeated = isAll ? await repeat(tx, job, reading) : undefined;
  if (repeated) return conclude(tx, { delivery, job, delivered: repeated });
  const secrets = secretsOf(powers.keys, job.deployment);
  const { heapMb: _heapMb, cpuMs: _cpuMs, signal: _signal, ...options } = delivery.parse;
  const read = ({ secretRules = [], ...remembering }: Knowing) =>
    stageInWorker(
      delivery.spooled.read(),
      {
        reading: { ...options, secretRules },
        staging: { ignores: ignored, secrets },
        remembering: { ...remembering, reader },
      },
      delivery.parse,
    );
  const isExactAboutRules = (format: string) => EXACT.has(format);
  const outcome = await ingest(tx, { ...job, reading, ignores: ignored, isExactAboutRules }, read);
  const delivered: Delivered = { ...outcome, scan: job.scan };
  if (delivery.isDryRun) throw new Undone(delivered);
  return conclude(tx, { delivery, job, delivered });
}

/** What a report was read as: other bytes, another way of reading, or a later parser may say something else. */
function readingOf(
  { spooled, parse }: Delivery,
  { category, products, acting = [] }: Begun,
  { ignored, reader }: { ignored: readonly ignores.Ignores[]; reader: string },
): string {
  const { format = 'auto', root = '' } = parse;
  return digestOf(
    'reading@1',
    reader,
    spooled.digest,
    format,
    root,
    category ?? '',
    (products ?? ['all']).join(),
    JSON.stringify(ignored),
    ...(acting.length > 0 ? [JSON.stringify(acting)] : []),
  );
}

async function conclude(
  tx: Tx,
  { delivery, job, delivered }: { delivery: Delivery; job: Begun; delivered: Delivered },
): Promise<Delivered> {
  await keepReport(tx, { deployment: job.deployment, scan: job.scan }, delivery.spooled.read());
  await settle(tx, job, { ...delivered, digest: delivery.spooled.digest, isComplete: delivery.isComplete });
  return delivered;
}

/** Writes onto a scan what its report changed. */
export async function settle(
  tx: Tx,
  { deployment, scan, at }: Pick<Begun, 'deployment' | 'scan' | 'at'>,
  settled: Delivered & { digest: string | null; isComplete: boolean },
): Promise<void> {
  const { analysisKey, tool, warnings, scan: _, format, digest, isComplete, ...counts } = settled;
  await tx.run`
    update scan set format = ${format}, tool = ${tool}, analysis_key = ${analysisKey}, digest = ${digest},
      changes = ${JSON.stringify({ ...counts, warnings })}::jsonb,
      status = case when ${isComplete} then 'completed' else status end,
      completed_at = case when ${isComplete} then ${at}::timestamptz end
    where deployment_id = ${deployment} and id = ${scan}`;
}

/** The last scan of this ref was of the same commit and had the same report: nothing is to be done again. */
async function sameBefore(tx: Tx, job: Begun, digest: string): Promise<Delivered | undefined> {
  const [row] = await tx.rows`
    select scan.id, scan.format, scan.tool, scan.analysis_key,
      scan.found_code + scan.found_supply_chain + scan.found_secrets as unchanged
    from analysis join scan on scan.deployment_id = analysis.deployment_id and scan.id = analysis.last_scan_id
    where analysis.deployment_id = ${job.deployment} and analysis.branch_id = ${job.branch}
      and scan.status = 'completed' and scan.digest = ${digest} and scan.mode = ${job.mode}
      and scan.commit is not distinct from ${job.commit ?? null}`;
  if (!row) return undefined;
  await tx.run`delete from scan where deployment_id = ${job.deployment} and id = ${job.scan}`;
  const scan = String(row['id']);
  return {
    scan,
    format: row['format'] as Delivered['format'],
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
