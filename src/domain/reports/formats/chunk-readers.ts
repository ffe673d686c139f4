import type {
  AdapterContext,
  CsvAdapter,
  JsonAdapter,
  JsonLinesAdapter,
  LineAdapter,
  XmlAdapter,
} from '../adapters/adapter.ts';
import type { FormatReader } from '../adapters/format-definition.ts';
import { type JsonPart, JsonScanner } from '../json/json-scanner.ts';
import { object } from '../json/loose-values.ts';
import { cleanText } from '../json/parse-clean.ts';
import { ReportError } from '../report-error.ts';
import type { ReportItem } from '../report-items.ts';
import { XmlElementReader } from '../xml/xml-element-reader.ts';
import { CsvReader } from './csv-reader.ts';
import type { ReportLimits } from './report-limits.ts';

/** Converts chunks of a report to items; `finish` is called once, after the last chunk. */
export interface ChunkReader {
  push(chunk: Buffer): Iterable<ReportItem>;
  finish(): Iterable<ReportItem>;
}

export function chunkReaderOf(reader: FormatReader, context: AdapterContext, limits: ReportLimits): ChunkReader {
  if ('json' in reader) return jsonReader(reader.json(context), limits);
  if ('jsonLines' in reader) return jsonLinesReader(reader.jsonLines(context), limits);
  if ('xml' in reader) return xmlReader(reader.xml(context), limits);
  if ('csv' in reader) return csvReader(reader.csv(context), limits);
  return lineReader(reader.lines(context), limits);
}

/** A part that was not read must not close anything. */
function* skipped(what: string, limits: ReportLimits): Iterable<ReportItem> {
  const limit = `${Math.round(limits.maxValueBytes / 2 ** 20)} MB`;
  yield { kind: 'warning', message: `${what} is larger than ${limit}; it was left out.` };
  yield { kind: 'coverage', isIncomplete: true };
}

function jsonReader(adapter: JsonAdapter, limits: ReportLimits): ChunkReader {
  const { required, prefix, unread = [] } = adapter;
  const wanted = new Map(required.map((entry) => [entry.replace(/\{\}$/, '$').replace(/#$/, ''), entry]));
  const scanner = new JsonScanner([...adapter.paths, ...wanted.keys()], limits, { unread });
  let hasRequired = false;
  let isStart = true;
  function* take(parts: JsonPart[]): Iterable<ReportItem> {
    for (const part of parts) {
      const entry = wanted.get(part.path);
      if (entry !== undefined) hasRequired ||= isRequired(entry, part.value);
      if (entry !== undefined && !adapter.paths.includes(part.path)) continue;
      if (part.oversizeBytes === undefined) yield* adapter.take(part);
      else yield* skipped(`One of ${part.path} (byte ${part.offset}, ${part.oversizeBytes} bytes)`, limits);
    }
  }
  return {
    push(chunk) {
      const skippedBytes = isStart && prefix ? prefixLength(chunk, prefix) : 0;
      isStart = false;
      return take(scanner.push(chunk.subarray(skippedBytes)));
    },
    *finish() {
      yield* take(scanner.finish());
      if (!hasRequired) throw new ReportError('NOT_VALID', `The report lacks ${namesOf(required)}.`);
      yield* adapter.finish?.() ?? [];
    },
  };
}

function isRequired(entry: string, value: unknown): boolean {
  if (entry.endsWith('{}')) return value === 'object';
  if (entry.endsWith('#')) return typeof value === 'number';
  return entry.endsWith('$') ? value === 'array' : typeof value === 'string';
}

const MAX_PREFIX_BYTES = 200;

const prefixLength = (chunk: Buffer, prefix: RegExp): number =>
  prefix.exec(chunk.toString('latin1', 0, MAX_PREFIX_BYTES))?.[0].length ?? 0;

const namesOf = (required: readonly string[]) =>
  required.map((path) => (path === '$' ? 'a list' : path.replace(/\$$|\{\}$|#$/, ''))).join(' or ');

function jsonLinesReader(adapter: JsonLinesAdapter, limits: ReportLimits): ChunkReader {
  let scanner: JsonScanner | undefined;
  let documents = 0;
  let hasMember = false;
  function* take(parts: JsonPart[]): Iterable<ReportItem> {
    for (const { value, offset, oversizeBytes } of parts) {
      // Some tools write null where there are no results.
      if (value === null) continue;
      documents++;
      if (oversizeBytes === undefined) {
        const document = object(value);
        hasMember ||= adapter.members.some((name) => Object.hasOwn(document, name));
        yield* adapter.take(document);
      } else yield* skipped(`A result (byte ${offset}, ${oversizeBytes} bytes)`, limits);
    }
  }
  return {
    push(chunk) {
      if (!scanner) {
        const isList = /^(?:\xef\xbb\xbf)?\s*\[/.test(chunk.toString('latin1', 0, MAX_PREFIX_BYTES));
        scanner = new JsonScanner(isList ? ['[]'] : ['.'], limits, { isSequence: !isList });
      }
      return take(scanner.push(chunk));
    },
    *finish() {
      yield* take(scanner?.finish() ?? []);
      const isEmpty = documents === 0 && adapter.canBeEmpty === true;
      if (!hasMember && !isEmpty)
        throw new ReportError('NOT_VALID', `No result of the report has ${adapter.members.join(' or ')}.`);
      yield* adapter.finish?.() ?? [];
    },
  };
}

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
  const rows = new CsvReader(adapter.required, limits, adapter.separator);
  function* take(found: Record<string, string>[]): Iterable<ReportItem> {
    for (const row of found) yield* adapter.take(row);
  }
  return {
    push: (chunk) => take(rows.push(chunk)),
    *finish() {
      yield* take(rows.finish());
      yield* adapter.finish?.() ?? [];
    },
  };
}

function lineReader(adapter: LineAdapter, limits: ReportLimits): ChunkReader {
  const decoder = new TextDecoder('utf-8');
  let rest = '';
  let isExpected = false;
  function* take(lines: string[]): Iterable<ReportItem> {
    for (const line of lines) {
      isExpected ||= adapter.pattern.test(line);
      yield* adapter.take(cleanText(line.replace(/\r$/, '')));
    }
  }
  return {
    *push(chunk) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      if (rest.length > limits.maxValueBytes) throw new ReportError('TOO_LARGE', 'A line of the report is too long.');
      yield* take(lines);
    },
    *finish() {
      yield* take([rest + decoder.decode()]);
      if (!isExpected) throw new ReportError('NOT_VALID', 'No line of the report has the form of a result.');
      yield* adapter.finish?.() ?? [];
    },
  };
}
