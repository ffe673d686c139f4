import { workerData } from 'node:worker_threads';
import { type ReadOptions, readReport } from '#domain/reports/read-report.ts';
import { type Handed, serve } from '#domain/reports/worker-port.ts';
import { type Heard, type Lines, Stager, type StagerOptions } from './stager.ts';

/** What the worker of `stageReport` is given. */
export interface StagingData {
  reading: ReadOptions;
  staging: StagerOptions;
}

/** Lines for the stages, and with the last of them what else the report says. */
export interface Staged {
  lines: Lines[];
  heard?: Heard;
}

const handed = (batch: Staged): Handed<Staged> => ({ batch, transfer: batch.lines.map(({ text }) => text.buffer) });

async function* batches(pieces: AsyncIterable<Buffer>): AsyncGenerator<Handed<Staged>> {
  const { reading, staging } = workerData as StagingData;
  const stager = new Stager(staging);
  for await (const item of readReport(pieces, reading)) if (stager.add(item)) yield handed({ lines: stager.take() });
  const heard = stager.end();
  yield handed({ lines: stager.take(), heard });
}

await serve(batches);
