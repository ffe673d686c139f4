import { getCompileCacheDir } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { ReadOptions } from '../formats/read-report.ts';
import { ReportError } from '../report-error.ts';
import type { ReportItemBatch } from './parse-worker.ts';
import type { FromWorker, ToWorker } from './worker-port.ts';
import type { WorkerStart } from './worker-start.ts';

export interface WorkerLimits {
  /** Heap of the worker. */
  heapMb?: number;
  /** How much of a processor's time the worker may use. */
  cpuMs?: number;
  signal?: AbortSignal;
}

export interface ParseOptions extends ReadOptions, WorkerLimits {}

const HEAP_MB = 512;
const CPU_MS = 120_000;
const YOUNG_MB = 32;
const LOOK_MS = 250;

/** What a report says, in batches of items. */
export function parseInWorker(
  source: AsyncIterable<Buffer>,
  { heapMb, cpuMs, signal, ...options }: ParseOptions = {},
): AsyncGenerator<ReportItemBatch> {
  const limits = { ...(heapMb && { heapMb }), ...(cpuMs && { cpuMs }), ...(signal && { signal }) };
  return readInWorker(source, { program: new URL('./parse-worker.ts', import.meta.url), data: options }, limits);
}

/** A file that calls `serve`, and what that hands to its work. */
export interface WorkerProgram {
  program: URL;
  data: unknown;
}

/** Batches of what is read of a report in a thread that ends at its limits without ending the server (UPL-03). */
export async function* readInWorker<Batch>(
  source: AsyncIterable<Buffer>,
  { program, data }: WorkerProgram,
  { heapMb = HEAP_MB, cpuMs = CPU_MS, signal }: WorkerLimits = {},
): AsyncGenerator<Batch> {
  const start: WorkerStart = { program: program.href, cacheFolder: getCompileCacheDir(), data };
  const worker = new Worker(new URL('./worker-start.ts', import.meta.url), {
    workerData: start,
    env: {},
    execArgv: [],
    // A small young generation frees soon what was read; a smaller one still would be cleared all the time.
    resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: YOUNG_MB },
  });
  const inbox = new Inbox<Batch>(worker);
  const stop = () => inbox.fail(new ReportError('STOPPED', 'Reading the report was stopped.'));
  if (signal?.aborted) stop();
  signal?.addEventListener('abort', stop);
  const watch = setInterval(() => {
    const slow = `Reading the report takes more than ${Math.ceil(cpuMs / 1000)} s of a processor.`;
    void usedMs(worker).then((used) => used > cpuMs && inbox.fail(new ReportError('TOO_SLOW', slow)));
  }, LOOK_MS);
  const pieces = source[Symbol.asyncIterator]();
  const tell = (message: ToWorker) => worker.postMessage(message);
  try {
    for (;;) {
      const message = await inbox.next();
      if (message.type === 'done') return;
      if (message.type === 'problem') throw problemOf(message);
      if (message.type === 'need') {
        const piece = await Promise.race([pieces.next(), inbox.failure]);
        tell({ type: 'piece', bytes: piece.done ? undefined : piece.value });
      } else {
        yield message.batch;
        tell({ type: 'taken' });
      }
    }
  } finally {
    clearInterval(watch);
    signal?.removeEventListener('abort', stop);
    await worker.terminate();
    // A source that never answers must not keep us from ending.
    void pieces.return?.().catch(() => undefined);
  }
}

/** The thread's own time, so that a busy machine does not refuse what an idle one reads. */
async function usedMs(worker: Worker): Promise<number> {
  try {
    const { user, system } = await worker.cpuUsage();
    return (user + system) / 1000;
  } catch {
    // It has ended since, which its own event tells.
    return 0;
  }
}

function problemOf({ code, sentence, offset, frames }: Extract<FromWorker<never>, { type: 'problem' }>): ReportError {
  const problem = new ReportError(code, sentence, offset);
  if (frames !== undefined) problem.cause = frames;
  return problem;
}

/** The worker's messages in their order, and its end as a failure. */
class Inbox<Batch> {
  /** Rejects when the worker fails; never resolves. */
  readonly failure: Promise<never>;
  readonly fail: (reason: ReportError) => void;
  readonly #messages: FromWorker<Batch>[] = [];
  #wake: () => void = () => undefined;

  constructor(worker: Worker) {
    const { promise, reject } = Promise.withResolvers<never>();
    this.failure = promise;
    this.fail = reject;
    promise.catch(() => undefined);
    worker.on('message', (message: FromWorker<Batch>) => {
      this.#messages.push(message);
      this.#wake();
    });
    worker.on('error', (error) => reject(deathOf(error)));
    worker.on('exit', () => reject(new ReportError('PARSER_DIED', 'The parser ended before the report did.')));
  }

  async next(): Promise<FromWorker<Batch>> {
    while (this.#messages.length === 0) {
      await Promise.race([
        this.failure,
        new Promise<void>((resolve) => {
          this.#wake = resolve;
        }),
      ]);
    }
    return this.#messages.shift() ?? { type: 'done' };
  }
}

function deathOf(error: unknown): ReportError {
  if (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') {
    return new ReportError('TOO_MUCH_MEMORY', 'The report needs more memory than is allowed.');
  }
  return new ReportError('PARSER_DIED', 'The parser failed on this report.');
}
