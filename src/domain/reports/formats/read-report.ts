import type { AdapterContext, CsvAdapter, JsonAdapter, XmlAdapter } from '../adapters/adapter.ts';
import type { ResultCache } from '../identity/result-cache.ts';
import { type JsonPart, JsonScanner } from '../json/json-scanner.ts';
import { ReportError } from '../report-error.ts';
import type { ReportItem } from '../report-items.ts';
import type { ReportFormat } from '../shape.ts';
import { XmlElementReader } from '../xml/xml-element-reader.ts';
import { CsvReader } from './csv-reader.ts';
import { decompress } from './decompress.ts';
import { FORMAT_READERS } from './format-readers.ts';
import { ItemNormaliser } from './normalise-items.ts';
import { DEFAULT_REPORT_LIMITS, type ReportLimits } from './report-limits.ts';
import { SNIFFED_BYTES, sniffFormat } from './sniff-format.ts';

export interface ReadOptions {
  format?: ReportFormat | 'auto';
  /** The checkout directory, if paths are absolute. */
  root?: string;
  /** The report's name. */
  reportName?: string;
  /** Rules that an earlier read found to detect secrets after their results. */
  secretRules?: readonly string[];
  limits?: Partial<ReportLimits>;
}

/** Converts chunks of a report to items; `finish` is called once, after the last chunk. */
interface ChunkReader {
  push(chunk: Buffer): Iterable<ReportItem>;
  finish(): Iterable<ReportItem>;
}

const CHUNK_BYTES = 64 * 2 ** 10;

/** The items of a report of any format; throws ReportError if it cannot be read. */
export async function* readReport(
  source: AsyncIterable<Buffer>,
  options: ReadOptions = {},
  resultCache?: ResultCache,
): AsyncGenerator<ReportItem> {
  const limits = { ...DEFAULT_REPORT_LIMITS, ...options.limits };
  const bytes = decompress(source, limits);
  try {
    const start = await readStart(bytes);
    const format = options.format === undefined || options.format === 'auto' ? sniffFormat(start) : options.format;
    const { reportName = 'bom', secretRules } = options;
    const context = { reportName, secretRules: new Set(secretRules), resultCache };
    const { reader, tool } = readerOf(format, context, limits);
    yield { kind: 'tool', name: tool, format };
    const normaliser = new ItemNormaliser(options.root);
    for (const chunk of splitChunk(start)) yield* normaliser.items(reader.push(chunk));
    for await (const bytesRead of bytes)
      for (const chunk of splitChunk(bytesRead)) yield* normaliser.items(reader.push(chunk));
    yield* normaliser.items(reader.finish());
    yield* normaliser.warnings();
  } finally {
    await bytes.return(undefined);
  }
}

async function readStart(bytes: AsyncGenerator<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for (let size = 0; size < SNIFFED_BYTES; ) {
    const { value, done } = await bytes.next();
    if (done) break;
    chunks.push(value);
    size += value.length;
  }
  return Buffer.concat(chunks);
}

/** Splits chunks, so that a source that delivers everything at once is not parsed at once. */
function* splitChunk(chunk: Buffer): Iterable<Buffer> {
  for (let at = 0; at < chunk.length; at += CHUNK_BYTES) yield chunk.subarray(at, at + CHUNK_BYTES);
}

function readerOf(format: ReportFormat, context: AdapterContext, limits: ReportLimits) {
  const entry = FORMAT_READERS[format];
  if ('json' in entry) return { reader: jsonReader(entry.json(context), limits), tool: entry.tool };
  if ('xml' in entry) return { reader: xmlReader(entry.xml(context), limits), tool: entry.tool };
  return { reader: csvReader(entry.csv(context), limits), tool: entry.tool };
}

/** A part that was not read must not close anything. */
function* skipped(what: string, limits: ReportLimits): Iterable<ReportItem> {
  const limit = `${Math.round(limits.maxValueBytes / 2 ** 20)} MB`;
  yield { kind: 'warning', message: `${what} is larger than ${limit}; it was left out.` };
  yield { kind: 'coverage', isIncomplete: true };
}

function jsonReader(adapter: JsonAdapter, limits: ReportLimits): ChunkReader {
  const { required } = adapter;
  const scanner = new JsonScanner([...adapter.paths, ...required], limits, adapter.unread);
  let hasRequired = false;
  function* take(parts: JsonPart[]): Iterable<ReportItem> {
    for (const part of parts) {
      if (required.includes(part.path)) hasRequired ||= typeof part.value === 'string' && part.value !== 'object';
      else if (part.oversizeBytes === undefined) yield* adapter.take(part);
      else yield* skipped(`One of ${part.path} (byte ${part.offset}, ${part.oversizeBytes} bytes)`, limits);
    }
  }
  return {
    push: (chunk) => take(scanner.push(chunk)),
    *finish() {
      yield* take(scanner.finish());
      if (!hasRequired) throw new ReportError('NOT_VALID', `The report lacks ${namesOf(required)}.`);
      yield* adapter.finish?.() ?? [];
    },
  };
}

const namesOf = (required: readonly string[]) =>
  required.map((path) => (path === '$' ? 'a list' : path.replace('$', ''))).join(' or ');

function xmlReader(adapter: XmlAdapter, limits: ReportLimits): ChunkReader {
  const reader = new XmlElementReader(adapter, limits);
  function* take(elements: ReturnType<XmlElementReader['push']>): Iterable<ReportItem> {
    for (const element of elements) yield* adapter.take(element);
    for (let count = reader.takeOversize(); count > 0; count--) yield* skipped('An element of the XML', limits);
  }
  return {
    push: (chunk) => take(reader.push(chunk)),
    *finish() {
      yield* take(reader.finish());
      yield* adapter.finish?.() ?? [];
    },
  };
}

function csvReader(adapter: CsvAdapter, limits: ReportLimits): ChunkReader {
  const rows = new CsvReader(adapter.required, limits);
  function* take(found: Record<string, string>[]): Iterable<ReportItem> {
    for (const row of found) yield* adapter.take(row);
  }
  return { push: (chunk) => take(rows.push(chunk)), finish: () => take(rows.finish()) };
}
