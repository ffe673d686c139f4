import { flushCompileCache } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import { ReportError, type ReportErrorCode } from '../report-error.ts';
import type { WorkerStart } from './worker-start.ts';

/** Messages of the worker: it needs a chunk, has a batch, is done, or cannot read the report. */
export type FromWorker<Batch> =
  | { type: 'need' }
  | { type: 'batch'; batch: Batch }
  | { type: 'done' }
  | { type: 'problem'; code: ReportErrorCode; sentence: string; offset?: number; frames?: string };

/** Messages to the worker: a chunk, or none left; and that a batch was taken. */
export type ToWorker = { type: 'chunk'; bytes: Uint8Array | undefined } | { type: 'taken' };

/** A batch, and its buffers that are transferred instead of copied. */
export interface WorkerBatch<Batch> {
  batch: Batch;
  transfer?: ArrayBuffer[];
}

/** The worker's side: requests chunks, and sends one batch at a time. */
export async function serveWorker<Data, Batch>(
  work: (chunks: AsyncIterable<Buffer>, data: Data) => AsyncIterable<WorkerBatch<Batch>>,
): Promise<void> {
  const { data } = workerData as WorkerStart;
  const send = (message: FromWorker<Batch>, transfer: ArrayBuffer[] = []) => parentPort?.postMessage(message, transfer);
  try {
    let taken = Promise.resolve();
    const port = listenToParent(() => send({ type: 'need' }));
    for await (const { batch, transfer } of work(chunks(port.nextChunk), data as Data)) {
      // A batch is sent when the previous one was taken.
      await taken;
      taken = port.nextTaken();
      send({ type: 'batch', batch }, transfer);
    }
    await taken;
    // The receiver of `done` terminates the thread.
    flushCompileCache();
    send({ type: 'done' });
  } catch (error) {
    send(failureMessage(error));
  }
  parentPort?.close();
}

function listenToParent(requestChunk: () => void) {
  let onChunk: (bytes: Uint8Array | undefined) => void = () => undefined;
  let onTaken: () => void = () => undefined;
  parentPort?.on('message', (message: ToWorker) => {
    if (message.type === 'chunk') onChunk(message.bytes);
    else onTaken();
  });
  const nextChunk = () =>
    new Promise<Uint8Array | undefined>((resolve) => {
      onChunk = resolve;
      requestChunk();
    });
  const nextTaken = () =>
    new Promise<void>((resolve) => {
      onTaken = resolve;
    });
  return { nextChunk, nextTaken };
}

/** Requests the next chunk before processing the current one. */
async function* chunks(nextChunk: () => Promise<Uint8Array | undefined>): AsyncGenerator<Buffer> {
  let next = nextChunk();
  for (let bytes = await next; bytes; bytes = await next) {
    next = nextChunk();
    yield Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
}

function failureMessage(error: unknown): Extract<FromWorker<never>, { type: 'problem' }> {
  if (error instanceof ReportError) {
    const { code, sentence, offset } = error;
    return { type: 'problem', code, sentence, ...(offset === undefined ? {} : { offset }) };
  }
  // The message of an unexpected error may quote the report; the stack frames do not.
  const frames = error instanceof Error ? (error.stack?.split('\n    at ').slice(1, 6).join('\n') ?? '') : '';
  return { type: 'problem', code: 'PARSER_DIED', sentence: 'The parser failed on this report.', frames };
}
