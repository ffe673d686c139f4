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

const transferred = (batch: StagedBatch): WorkerBatch<StagedBatch> => ({
  batch,
  transfer: batch.lines.map(({ text }) => text.buffer),
});

async function* batches(
  chunks: AsyncIterable<Buffer>,
  data: StagingWorkerData,
): AsyncGenerator<WorkerBatch<StagedBatch>> {
  const { reading, staging, cacheState } = data;
  const cache = openResultCache(cacheState, { reading, staging });
  const stager = new Stager(staging, cache);
  for await (const item of readReport(chunks, reading, cache.isEnabled ? cache : undefined))
    if (stager.add(item)) yield transferred({ lines: stager.take() });
  const summary = stager.end();
  yield transferred({ lines: stager.take(), summary });
}

await serveWorker(batches);
