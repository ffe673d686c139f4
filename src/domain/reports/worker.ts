import { parentPort, workerData } from 'node:worker_threads';
import { type ReadOptions, readReport } from './read-report.ts';
import { ReportProblem, type ReportProblemCode } from './report-problem.ts';
import type { Reported } from './reported.ts';

/** What the worker says: give me a piece, here are items, that was all, or it cannot be read. */
export type FromWorker =
  | { type: 'need' }
  | { type: 'items'; items: Reported[] }
  | { type: 'done' }
  | { type: 'problem'; code: ReportProblemCode; sentence: string; offset?: number; frames?: string };

/** What it is told: a piece, or none left; and that a batch was taken. */
export type ToWorker = { type: 'piece'; bytes: Uint8Array | undefined } | { type: 'taken' };

const BATCH_ITEMS = 500;
/** Items are as large as the bytes that they come from, so that these bound a batch as well. */
const BATCH_BYTES = 4 * 2 ** 20;

const say = (message: FromWorker) => parentPort?.postMessage(message);
let bytesSinceBatch = 0;
let onPiece: (bytes: Uint8Array | undefined) => void = () => undefined;
let onTaken: () => void = () => undefined;

parentPort?.on('message', (message: ToWorker) => {
  if (message.type === 'piece') onPiece(message.bytes);
  else onTaken();
});

const nextPiece = () =>
  new Promise<Uint8Array | undefined>((resolve) => {
    onPiece = resolve;
    say({ type: 'need' });
  });

/** Asks for the next piece before this one is worked on. */
async function* pieces(): AsyncGenerator<Buffer> {
  let next = nextPiece();
  for (let bytes = await next; bytes; bytes = await next) {
    next = nextPiece();
    bytesSinceBatch += bytes.length;
    yield Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
}

let taken = Promise.resolve();

/** Hands a batch over as soon as the one before it was taken. */
async function hand(items: Reported[]): Promise<void> {
  await taken;
  taken = new Promise((resolve) => {
    onTaken = resolve;
  });
  say({ type: 'items', items });
  bytesSinceBatch = 0;
}

async function work(options: ReadOptions): Promise<void> {
  let batch: Reported[] = [];
  for await (const item of readReport(pieces(), options)) {
    batch.push(item);
    if (batch.length < BATCH_ITEMS && bytesSinceBatch < BATCH_BYTES) continue;
    await hand(batch);
    batch = [];
  }
  if (batch.length > 0) await hand(batch);
  say({ type: 'done' });
}

try {
  await work(workerData as ReadOptions);
} catch (error) {
  if (error instanceof ReportProblem) {
    const { code, sentence, offset } = error;
    say({ type: 'problem', code, sentence, ...(offset === undefined ? {} : { offset }) });
  } else {
    // The message of an unforeseen error may hold what the report holds; where it arose does not.
    const frames = error instanceof Error ? (error.stack?.split('\n    at ').slice(1, 6).join('\n') ?? '') : '';
    say({ type: 'problem', code: 'PARSER_DIED', sentence: 'The parser failed on this report.', frames });
  }
}
parentPort?.close();
