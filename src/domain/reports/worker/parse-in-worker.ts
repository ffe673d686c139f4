import { getCompileCacheDir } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { ReadOptions } from '../formats/read-report.ts';
import { ReportError } from '../report-error.ts';
import type { ReportItemBatch } from './parse-worker.ts';
import type { FromWorker, ToWorker } from './worker-port.ts';
import type { WorkerStart } from './worker-start.ts';

export interface WorkerLimits {
  /** Heap limit of the worker. */
  heapMb?: number;
  /** CPU time limit of the worker. */
  cpuMs?: number;
  signal?: AbortSignal;
}

export interface ParseOptions extends ReadOptions, WorkerLimits {}

const DEFAULT_HEAP_MB = 512;
const DEFAULT_CPU_MS = 120_000;
const YOUNG_GENERATION_MB = 32;
const CHECK_INTERVAL_MS = 250;

/** The items of a report in batches, parsed in a worker. */
export function parseInWorker(
  source: AsyncIterable<Buffer>,
  { heapMb, cpuMs, signal, ...options }: ParseOptions = {},
): AsyncGenerator<ReportItemBatch> {
  const limits = { ...(heapMb && { heapMb }), ...(cpuMs && { cpuMs }), ...(signal && { signal }) };
  return readInWorker(source, { program: new URL('./parse-worker.ts', import.meta.url), data: options }, limits);
}

/** A module that calls `serveWorker`, and its input. */
export interface WorkerProgram {
  program: URL;
  data: unknown;
}

/** Runs a program over a report in a worker thread, whose limits do not affect the server (UPL-03). */
export async function* readInWorker<Batch>(
  source: AsyncIterable<Buffer>,
  { program, data }: WorkerProgram,
  { heapMb = DEFAULT_HEAP_MB, cpuMs = DEFAULT_CPU_MS, signal }: WorkerLimits = {},
): AsyncGenerator<Batch> {
  const start: WorkerStart = { program: program.href, cacheFolder: getCompileCacheDir(), data };
  const worker = new Worker(new URL('./worker-start.ts', import.meta.url), {
    workerData: start,
    env: {},
    execArgv: [],
    // A small young generation frees parsed data early; a smaller one would be collected constantly.
    resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
  });
  const inbox = new WorkerInbox<Batch>(worker);
  const stop = () => inbox.fail(new ReportError('STOPPED', 'Reading the report was stopped.'));
  if (signal?.aborted) stop();
  signal?.addEventListener('abort', stop);
  const watch = setInterval(() => {
    const slow = `Reading the report takes more than ${Math.ceil(cpuMs / 1000)} s of CPU time.`;
    void usedMs(worker).then((used) => used > cpuMs && inbox.fail(new ReportError('TOO_SLOW', slow)));
  }, CHECK_INTERVAL_MS);
  const chunks = source[Symbol.asyncIterator]();
  const send = (message: ToWorker) => worker.postMessage(message);
  try {
    for (;;) {
      const message = await inbox.next();
      if (message.type === 'done') return;
      if (message.type === 'problem') throw errorOf(message);
      if (message.type === 'need') {
        const chunk = await Promise.race([chunks.next(), inbox.failure]);
        send({ type: 'chunk', bytes: chunk.done ? undefined : chunk.value });
      } else {
        yield message.batch;
        send({ type: 'taken' });
      }
    }
  } finally {
    clearInterval(watch);
    signal?.removeEventListener('abort', stop);
    await worker.terminate();
    // A source that never responds must not block the end.
    void chunks.return?.().catch(() => undefined);
  }
}

/** CPU time of the thread, so that a busy machine does not reject what an idle one accepts. */
async function usedMs(worker: Worker): Promise<number> {
  try {
    const { user, system } = await worker.cpuUsage();
    return (user + system) / 1000;
  } catch {
    // The worker has exited, which its own event reports.
    return 0;
  }
}

function errorOf({ code, sentence, offset, frames }: Extract<FromWorker<never>, { type: 'problem' }>): ReportError {
  const problem = new ReportError(code, sentence, offset);
  if (frames !== undefined) problem.cause = frames;
  return problem;
}

/** The worker's messages in order, and its exit as a failure. */
class WorkerInbox<Batch> {
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
    worker.on('error', (error) => reject(failureOf(error)));
    worker.on('exit', () => reject(new ReportError('PARSER_DIED', 'The parser stopped before the end of the report.')));
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

function failureOf(error: unknown): ReportError {
  if (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') {
    return new ReportError('TOO_MUCH_MEMORY', 'The report needs more memory than is allowed.');
  }
  return new ReportError('PARSER_DIED', 'The parser failed on this report.');
}
