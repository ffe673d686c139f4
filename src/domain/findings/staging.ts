import { Memory } from '#domain/reports/memory.ts';
import { readInWorker, type WorkerLimits } from '#domain/reports/parse-in-worker.ts';
import type { ReadOptions } from '#domain/reports/read-report.ts';
import type { Reported } from '#domain/reports/reported.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { Remembering } from './remembering.ts';
import { type Heard, Stager, type StagerOptions } from './stager.ts';
import { STAGES, type StageName } from './stages.ts';
import type { Staged, StagingData } from './staging-worker.ts';

/** What an earlier reading of the report or an earlier report says about how to read it. */
export type Knowing = Omit<Remembering, 'reader'> & Pick<ReadOptions, 'secretRules'>;

/** Reads the report, from its start each time it is asked to. */
export type Read = (knowing: Knowing) => AsyncIterable<Staged>;

/** Reads a report and writes its lines in a worker, so that the thread that answers requests only passes them on. */
export function stageInWorker(
  source: AsyncIterable<Buffer>,
  data: StagingData,
  limits: WorkerLimits,
): AsyncGenerator<Staged> {
  const program = new URL('./staging-worker.ts', import.meta.url);
  return readInWorker<Staged>(source, { program, data }, limits);
}

/** Writes the lines of what is at hand as a whole, without a worker. */
export async function* stageHere(
  items: Iterable<Reported>,
  options: StagerOptions & Pick<Remembering, 'known'>,
): AsyncGenerator<Staged> {
  const { known } = options;
  const stager = new Stager(options, new Memory({ ...(known && { known }) }));
  for (const item of items) if (stager.add(item)) yield { lines: stager.take() };
  const heard = stager.end();
  yield { lines: stager.take(), heard };
}

const NAMES = Object.keys(STAGES) as StageName[];

/** Brings what a report says into the tables that live as long as the transaction. */
export async function stage(tx: Tx, read: Read, knowing: Knowing = {}): Promise<Heard> {
  const heard = await fill(tx, read(knowing));
  if (heard.lateSecretRules.length === 0) return heard;
  // What was read as code may show secrets: all of it is forgotten, and read as what it is.
  await forget(tx);
  return fill(tx, read({ ...freshly(knowing), secretRules: heard.lateSecretRules }));
}

/** Forgets what was staged, and reads the report once more without comparing it with what was said before. */
export async function stageAgain(tx: Tx, read: Read, knowing: Knowing): Promise<Heard> {
  await forget(tx);
  return stage(tx, read, freshly(knowing));
}

const freshly = ({ known: _, ...knowing }: Knowing): Knowing => knowing;

const forget = (tx: Tx) =>
  tx.run`truncate stage_finding, stage_print, stage_same, stage_rule, stage_tool, stage_dependency`;

async function fill(tx: Tx, batches: AsyncIterable<Staged>): Promise<Heard> {
  for (const name of NAMES) await tx.copyLines(STAGES[name], []);
  let all: Heard | undefined;
  for await (const { lines, heard } of batches) {
    all ??= heard;
    for (const { stage: name, text } of lines) await tx.copyLines(STAGES[name], [text]);
  }
  if (!all) throw new Error('A reading ended without its last words.');
  await tx.run`analyze stage_finding (n, run, product, rule, path, is_unique)`;
  await tx.run`analyze stage_print (n, kind, digest)`;
  return all;
}
