import type { ReadOptions } from '#domain/reports/formats/read-report.ts';
import { ResultCache } from '#domain/reports/identity/result-cache.ts';
import type { ReportItem } from '#domain/reports/report-items.ts';
import { readInWorker, type WorkerLimits } from '#domain/reports/worker/parse-in-worker.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { ResultCacheState } from './open-result-cache.ts';
import { type ReportSummary, Stager, type StagerOptions } from './stager.ts';
import { STAGING_TABLES, type StagingTableName } from './staging-tables.ts';
import type { StagedBatch, StagingWorkerData } from './staging-worker.ts';

/** Hints for reading a report, from an earlier attempt or an earlier report. */
export type CacheInput = Omit<ResultCacheState, 'parserVersion'> & Pick<ReadOptions, 'secretRules'>;

/** Reads the report from its start on every call. */
export type ReportReader = (knowing: CacheInput) => AsyncIterable<StagedBatch>;

/** Reads and stages a report in a worker thread; the main thread only forwards the COPY lines. */
export function stageInWorker(
  source: AsyncIterable<Buffer>,
  data: StagingWorkerData,
  limits: WorkerLimits,
): AsyncGenerator<StagedBatch> {
  const program = new URL('./staging-worker.ts', import.meta.url);
  return readInWorker<StagedBatch>(source, { program, data }, limits);
}

/** Stages items that are already in memory, without a worker. */
export async function* stageItems(
  items: Iterable<ReportItem>,
  options: StagerOptions & Pick<ResultCacheState, 'previousDigests'>,
): AsyncGenerator<StagedBatch> {
  const { previousDigests } = options;
  const stager = new Stager(options, new ResultCache({ ...(previousDigests && { previousDigests }) }));
  for (const item of items) if (stager.add(item)) yield { lines: stager.take() };
  const heard = stager.end();
  yield { lines: stager.take(), summary: heard };
}

const NAMES = Object.keys(STAGING_TABLES) as StagingTableName[];

/** Loads a report into the staging tables. */
export async function stageReport(tx: Tx, read: ReportReader, knowing: CacheInput = {}): Promise<ReportSummary> {
  const heard = await fill(tx, read(knowing));
  if (heard.lateSecretRules.length === 0) return heard;
  // Results read as code may show secrets: discard them and read them again as secrets.
  await forget(tx);
  return fill(tx, read({ ...freshly(knowing), secretRules: heard.lateSecretRules }));
}

/** Discards what was staged, and reads the report again without comparing it to the previous scan. */
export async function restageReport(tx: Tx, read: ReportReader, knowing: CacheInput): Promise<ReportSummary> {
  await forget(tx);
  return stageReport(tx, read, freshly(knowing));
}

const freshly = ({ previousDigests: _, ...knowing }: CacheInput): CacheInput => knowing;

const forget = (tx: Tx) =>
  tx.run`truncate stage_finding, stage_print, stage_same, stage_rule, stage_tool, stage_dependency`;

async function fill(tx: Tx, batches: AsyncIterable<StagedBatch>): Promise<ReportSummary> {
  for (const name of NAMES) await tx.copyLines(STAGING_TABLES[name], []);
  let all: ReportSummary | undefined;
  for await (const { lines, summary } of batches) {
    all ??= summary;
    for (const { stage: name, text } of lines) await tx.copyLines(STAGING_TABLES[name], [text]);
  }
  if (!all) throw new Error('A reading ended without its last words.');
  await tx.run`analyze stage_finding (n, run, product, rule, path, is_unique)`;
  await tx.run`analyze stage_print (n, kind, digest)`;
  return all;
}
