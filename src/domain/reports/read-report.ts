import type { AdapterContext, CsvAdapter, JsonAdapter, XmlAdapter } from './adapter.ts';
import { CsvRows } from './csv-rows.ts';
import { unpacked } from './decompress.ts';
import { FORMATS } from './formats.ts';
import { JsonScanner } from './json-scanner.ts';
import { DEFAULT_LIMITS, type ReportLimits } from './limits.ts';
import { PathCensus, withoutRoot } from './paths.ts';
import type { Reported, TraceStep } from './reported.ts';
import type { ReportFormat } from './shape.ts';
import { SNIFFED_BYTES, sniff } from './sniff.ts';
import { XmlElements } from './xml-elements.ts';

export interface ReadOptions {
  format?: ReportFormat | 'auto';
  /** Where the repository was checked out, when its paths are absolute. */
  root?: string;
  /** What the report is called. */
  reportName?: string;
  limits?: Partial<ReportLimits>;
}

/** Turns pieces of a report into items; `finish` comes once, after the last piece. */
interface PieceReader {
  push(piece: Buffer): Iterable<Reported>;
  finish(): Iterable<Reported>;
}

const PIECE_BYTES = 64 * 2 ** 10;

/** What a report says, item by item, whatever its format; throws ReportProblem when it cannot be read. */
export async function* readReport(source: AsyncIterable<Buffer>, options: ReadOptions = {}): AsyncGenerator<Reported> {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const bytes = unpacked(source, limits);
  const start = await readStart(bytes);
  const format = options.format === undefined || options.format === 'auto' ? sniff(start) : options.format;
  const { reader, tool } = readerOf(format, { reportName: options.reportName ?? 'bom' }, limits);
  yield { kind: 'tool', name: tool, format };
  const census = new PathCensus();
  const items = function* (pieces: Iterable<Buffer>) {
    for (const piece of pieces) for (const item of reader.push(piece)) yield placed(item, options.root, census);
  };
  yield* items(inPieces(start));
  for await (const chunk of bytes) yield* items(inPieces(chunk));
  for (const item of reader.finish()) yield placed(item, options.root, census);
  for (const message of census.warnings()) yield { kind: 'warning', message };
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

/** Small pieces, so that a source that hands out all at once does not have all parsed at once. */
function* inPieces(chunk: Buffer): Iterable<Buffer> {
  for (let at = 0; at < chunk.length; at += PIECE_BYTES) yield chunk.subarray(at, at + PIECE_BYTES);
}

function placed(item: Reported, root: string | undefined, census: PathCensus): Reported {
  if (item.kind === 'finding' || item.kind === 'dependency') {
    const path = withoutRoot(item.path, root);
    if (path !== '') census.note(path);
    if (path === item.path) return item;
    return 'trace' in item ? { ...item, path, trace: placedTrace(item.trace, root) } : { ...item, path };
  }
  if (item.kind !== 'coverage') return item;
  const { pathsSearched, pathsFailed } = item;
  return {
    ...item,
    ...(pathsSearched ? { pathsSearched: pathsSearched.map((path) => withoutRoot(path, root)) } : {}),
    ...(pathsFailed ? { pathsFailed: pathsFailed.map((path) => withoutRoot(path, root)) } : {}),
  };
}

/** Semgrep's own trace stays as it is: its paths are relative. */
const placedTrace = (trace: unknown, root: string | undefined): unknown =>
  Array.isArray(trace)
    ? (trace as TraceStep[][]).map((flow) => flow.map((step) => ({ ...step, path: withoutRoot(step.path, root) })))
    : trace;

function readerOf(format: ReportFormat, context: AdapterContext, limits: ReportLimits) {
  const entry = FORMATS[format];
  if ('json' in entry) return { reader: jsonReader(entry.json(context), limits), tool: entry.tool };
  if ('xml' in entry) return { reader: xmlReader(entry.xml(context), limits), tool: entry.tool };
  return { reader: csvReader(entry.csv(context), limits), tool: entry.tool };
}

/** Nothing may be closed because of a part that was not read. */
function* leftOut(what: string, limits: ReportLimits): Iterable<Reported> {
  const limit = `${Math.round(limits.maxValueBytes / 2 ** 20)} MB`;
  yield { kind: 'warning', message: `${what} is larger than ${limit}; it was left out.` };
  yield { kind: 'coverage', isIncomplete: true };
}

function jsonReader(adapter: JsonAdapter, limits: ReportLimits): PieceReader {
  const scanner = new JsonScanner(adapter.paths, limits);
  function* take(parts: ReturnType<JsonScanner['push']>): Iterable<Reported> {
    for (const part of parts) {
      if (part.oversizeBytes === undefined) yield* adapter.take(part);
      else yield* leftOut(`One of ${part.path} (byte ${part.offset}, ${part.oversizeBytes} bytes)`, limits);
    }
  }
  return {
    push: (piece) => take(scanner.push(piece)),
    *finish() {
      yield* take(scanner.finish());
      yield* adapter.finish?.() ?? [];
    },
  };
}

function xmlReader(adapter: XmlAdapter, limits: ReportLimits): PieceReader {
  const reader = new XmlElements(adapter, limits);
  function* take(elements: ReturnType<XmlElements['push']>): Iterable<Reported> {
    for (const element of elements) yield* adapter.take(element);
    for (let count = reader.takeOversize(); count > 0; count--) yield* leftOut('An element of the XML', limits);
  }
  return {
    push: (piece) => take(reader.push(piece)),
    *finish() {
      yield* take(reader.finish());
      yield* adapter.finish?.() ?? [];
    },
  };
}

function csvReader(adapter: CsvAdapter, limits: ReportLimits): PieceReader {
  const rows = new CsvRows(limits);
  function* take(found: Record<string, string>[]): Iterable<Reported> {
    for (const row of found) yield* adapter.take(row);
  }
  return { push: (piece) => take(rows.push(piece)), finish: () => take(rows.finish()) };
}
