import type { ReadOptions } from '#domain/reports/formats/read-report.ts';
import { ResultCache } from '#domain/reports/identity/result-cache.ts';
import type { ReportItem } from '#domain/reports/report-items.ts';
import { readInWorker, type WorkerLimits } from '#domain/reports/worker/parse-in-worker.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { ResultCacheState } from './open-result-cache.ts';
import { type ReportSummary, Stager, type StagerOptions } from './stager.ts';
import { STAGING_TABLES, type StagingTableName } from './staging-tables.ts';
import type { StagedBatch, StagingWorkerData } from './staging-worker.ts';

/** What an earlier reading of the report or an earlier report says about how to read it. */
export type CacheInput = Omit<ResultCacheState, 'parserVersion'> & Pick<ReadOptions, 'secretRules'>;

/** Reads the report, from its start each time it is asked to. */
export type ReportReader = (knowing: CacheInput) => AsyncIterable<StagedBatch>;

/** Reads a report and writes its lines in a worker, so that the thread that answers requests only passes them on. */
export function stageInWorker(
  source: AsyncIterable<Buffer>,
  data: StagingWorkerData,
  limits: WorkerLimits,
): AsyncGenerator<StagedBatch> {
  const program = new URL('./staging-worker.ts', import.meta.url);
  return readInWorker<StagedBatch>(source, { program, data }, limits);
}

/** Writes the lines of what is at hand as a whole, without a worker. */
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

/** Brings what a report says into the tables that live as long as the transaction. */
export async function stageReport(tx: Tx, read: ReportReader, knowing: CacheInput = {}): Promise<ReportSummary> {
  const heard = await fill(tx, read(knowing));
  if (heard.lateSecretRules.length === 0) return heard;
  // What was read as code may show secrets: all of it is forgotten, and read as what it is.
  await forget(tx);
  return fill(tx, read({ ...freshly(knowing), secretRules: heard.lateSecretRules }));
}

/** Forgets what was staged, and reads the report once more without comparing it with what was said before. */
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
