import { type ReadOptions, readReport } from '#domain/reports/read-report.ts';
import { type Handed, serve } from '#domain/reports/worker-port.ts';
import { memoryOf, type Remembering } from './remembering.ts';
import { type Heard, type Lines, Stager, type StagerOptions } from './stager.ts';

/** What the worker of `stageReport` is given. */
export interface StagingData {
  reading: ReadOptions;
  staging: StagerOptions;
  remembering: Remembering;
}

/** Lines for the stages, and with the last of them what else the report says. */
export interface Staged {
  lines: Lines[];
  heard?: Heard;
}

const handed = (batch: Staged): Handed<Staged> => ({ batch, transfer: batch.lines.map(({ text }) => text.buffer) });

async function* batches(pieces: AsyncIterable<Buffer>, data: StagingData): AsyncGenerator<Handed<Staged>> {
  const { reading, staging, remembering } = data;
  const memory = memoryOf(remembering, { reading, staging });
  const stager = new Stager(staging, memory);
  for await (const item of readReport(pieces, reading, memory.isKept ? memory : undefined))
    if (stager.add(item)) yield handed({ lines: stager.take() });
  const heard = stager.end();
  yield handed({ lines: stager.take(), heard });
}

await serve(batches);
