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
export type ReportReader = (cacheInput: CacheInput) => AsyncIterable<StagedBatch>;

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
  const summary = stager.end();
  yield { lines: stager.take(), summary };
}

const TABLE_NAMES = Object.keys(STAGING_TABLES) as StagingTableName[];

/** Loads a report into the staging tables. */
export async function stageReport(tx: Tx, read: ReportReader, cacheInput: CacheInput = {}): Promise<ReportSummary> {
  const summary = await fillStages(tx, read(cacheInput));
  if (summary.lateSecretRules.length === 0) return summary;
  // Results read as code may show secrets: discard them and read them again as secrets.
  await truncateStages(tx);
  return fillStages(tx, read({ ...withoutDigests(cacheInput), secretRules: summary.lateSecretRules }));
}

/** Discards what was staged, and reads the report again. */
export async function restageReport(tx: Tx, read: ReportReader, cacheInput: CacheInput): Promise<ReportSummary> {
  await truncateStages(tx);
  return stageReport(tx, read, cacheInput);
}

const withoutDigests = ({ previousDigests: _, ...cacheInput }: CacheInput): CacheInput => cacheInput;

const truncateStages = (tx: Tx) =>
  tx.run`truncate stage_finding, stage_fingerprint, stage_unchanged, stage_rule, stage_tool, stage_dependency`;

async function fillStages(tx: Tx, batches: AsyncIterable<StagedBatch>): Promise<ReportSummary> {
  for (const name of TABLE_NAMES) await tx.copyLines(STAGING_TABLES[name], []);
  let last: ReportSummary | undefined;
  for await (const { lines, summary } of batches) {
    last ??= summary;
    for (const { stage: name, text } of lines) await tx.copyLines(STAGING_TABLES[name], [text]);
  }
  if (!last) throw new Error('The report ended without a summary.');
  await tx.run`analyze stage_finding (n, run, product, rule, path, is_unique)`;
  await tx.run`analyze stage_fingerprint (n, kind, digest)`;
  return last;
}
