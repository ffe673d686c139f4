import { type ReadOptions, readReport } from '../formats/read-report.ts';
import type { ReportItem } from '../report-items.ts';
import { serveWorker, type WorkerBatch } from './worker-port.ts';

/** A batch of the worker of `parseInWorker`. */
export type ReportItemBatch = ReportItem[];

const BATCH_ITEMS = 500;
/** Items are about as large as their bytes, so that this bounds a batch as well. */
const BATCH_BYTES = 4 * 2 ** 20;

async function* batches(
  chunks: AsyncIterable<Buffer>,
  options: ReadOptions,
): AsyncGenerator<WorkerBatch<ReportItemBatch>> {
  let bytesSinceBatch = 0;
  const counted = async function* () {
    for await (const chunk of chunks) {
      bytesSinceBatch += chunk.length;
      yield chunk;
    }
  };
  let batch: ReportItemBatch = [];
  for await (const item of readReport(counted(), options)) {
    batch.push(item);
    if (batch.length < BATCH_ITEMS && bytesSinceBatch < BATCH_BYTES) continue;
    yield { batch };
    batch = [];
    bytesSinceBatch = 0;
  }
  if (batch.length > 0) yield { batch };
}

await serveWorker(batches);
