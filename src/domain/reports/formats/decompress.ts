import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { ReportError } from '../report-error.ts';
import type { ReportLimits } from './report-limits.ts';

/** Each chunk costs a round trip to another thread. */
const CHUNK_BYTES = 256 * 1024;

const isGzip = (bytes: Buffer) => bytes[0] === 0x1f && bytes[1] === 0x8b;
const megabytes = (bytes: number) => `${Math.round(bytes / 2 ** 20)} MB`;

/** The bytes of a report, decompressed if they are gzip, within the limits (UPL-02). */
export async function* decompress(source: AsyncIterable<Buffer>, limits: ReportLimits): AsyncGenerator<Buffer> {
  const { first, all } = await peek(source);
  const isCompressed = isGzip(first);
  let total = 0;
  for await (const chunk of isCompressed ? gunzipped(all, limits) : all) {
    total += chunk.length;
    if (total > limits.maxBytes) {
      throw new ReportError('TOO_LARGE', `The report is larger than ${megabytes(limits.maxBytes)} decompressed.`);
    }
    yield chunk;
  }
}

/** Reads at least two bytes, to detect gzip. */
async function peek(source: AsyncIterable<Buffer>): Promise<{ first: Buffer; all: AsyncIterable<Buffer> }> {
  const iterator = source[Symbol.asyncIterator]();
  let first: Buffer = Buffer.alloc(0);
  while (first.length < 2) {
    const next = await iterator.next();
    if (next.done) break;
    first = first.length === 0 ? next.value : Buffer.concat([first, next.value]);
  }
  async function* all(): AsyncGenerator<Buffer> {
    try {
      if (first.length > 0) yield first;
      for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
    } finally {
      await iterator.return?.();
    }
  }
  return { first, all: all() };
}

async function* gunzipped(source: AsyncIterable<Buffer>, limits: ReportLimits): AsyncGenerator<Buffer> {
  let inputBytes = 0;
  let outputBytes = 0;
  let last: Buffer = Buffer.alloc(0);
  async function* counted() {
    for await (const chunk of source) {
      inputBytes += chunk.length;
      last = Buffer.concat([last, chunk.subarray(-4)]).subarray(-4);
      yield chunk;
    }
  }
  const input = Readable.from(counted(), { objectMode: false });
  const engine = createGunzip({ chunkSize: CHUNK_BYTES });
  input.on('error', (error) => engine.destroy(error));
  try {
    for await (const chunk of input.pipe(engine) as AsyncIterable<Buffer>) {
      outputBytes += chunk.length;
      if (outputBytes > limits.ratioFreeBytes && outputBytes > inputBytes * limits.maxRatio) {
        const message = `The report is more than ${limits.maxRatio} times larger than its compressed form.`;
        throw new ReportError('TOO_LARGE', message);
      }
      yield chunk;
    }
  } catch (error) {
    if (!isZlibFailure(error)) throw error;
    throw new ReportError('NOT_UNPACKED', 'The gzip data is damaged or truncated.', outputBytes);
  } finally {
    input.destroy();
    engine.destroy();
  }
  // The trailer of a gzip member has the size of that member alone, so that a second member is detected here.
  if (last.length < 4 || last.readUInt32LE() !== outputBytes % 2 ** 32) {
    throw new ReportError('NOT_UNPACKED', 'The gzip data has more than one member; send one.');
  }
}

const isZlibFailure = (error: unknown) =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && /^Z_/.test(error.code);
