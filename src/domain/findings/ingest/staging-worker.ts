import { type ReadOptions, readReport } from '#domain/reports/formats/read-report.ts';
import { serveWorker, type WorkerBatch } from '#domain/reports/worker/worker-port.ts';
import { openResultCache, type ResultCacheState } from './open-result-cache.ts';
import { type CopyLines, type ReportSummary, Stager, type StagerOptions } from './stager.ts';

/** Input of the staging worker. */
export interface StagingWorkerData {
  reading: ReadOptions;
  staging: StagerOptions;
  cacheState: ResultCacheState;
}

/** COPY lines, and with the last batch the report's summary. */
export interface StagedBatch {
  lines: CopyLines[];
  summary?: ReportSummary;
}

const handed = (batch: StagedBatch): WorkerBatch<StagedBatch> => ({
  batch,
  transfer: batch.lines.map(({ text }) => text.buffer),
});

async function* batches(
  pieces: AsyncIterable<Buffer>,
  data: StagingWorkerData,
): AsyncGenerator<WorkerBatch<StagedBatch>> {
  const { reading, staging, cacheState } = data;
  const memory = openResultCache(cacheState, { reading, staging });
  const stager = new Stager(staging, memory);
  for await (const item of readReport(pieces, reading, memory.isEnabled ? memory : undefined))
    if (stager.add(item)) yield handed({ lines: stager.take() });
  const heard = stager.end();
  yield handed({ lines: stager.take(), summary: heard });
}

await serveWorker(batches);
