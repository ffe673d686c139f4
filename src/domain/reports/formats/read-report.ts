import type { ReportFormatDefinition } from '../adapters/format-definition.ts';
import type { ResultCache } from '../identity/result-cache.ts';
import type { ReportMapping } from '../mapping/report-mapping.ts';
import { ReportError } from '../report-error.ts';
import type { ReportItem } from '../report-items.ts';
import type { ReportFormat } from '../shape.ts';
import { chunkReaderOf } from './chunk-readers.ts';
import { SNIFFED_BYTES, sniffCommonFormat } from './common-signs.ts';
import { decompress } from './decompress.ts';
import { ESTABLISHED_FORMATS } from './established-formats.ts';
import { ItemNormaliser } from './normalise-items.ts';
import { DEFAULT_REPORT_LIMITS, type ReportLimits } from './report-limits.ts';

export interface ReadOptions {
  format?: ReportFormat | 'auto';
  /** Describes the report, if it has no format of its own. */
  mapping?: ReportMapping;
  /** The checkout directory, if paths are absolute. */
  root?: string;
  /** The report's name. */
  reportName?: string;
  /** Rules that an earlier read found to detect secrets after their results. */
  secretRules?: readonly string[];
  limits?: Partial<ReportLimits>;
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
    const given = options.format ?? 'auto';
    if (given === 'auto' && !options.mapping && isEmptyReport(start)) {
      yield* emptyReport();
      return;
    }
    const format = options.mapping ? 'mapped' : given === 'auto' ? await detectFormat(start) : given;
    const { reportName = 'bom', secretRules } = options;
    const context = { reportName, secretRules: new Set(secretRules), resultCache };
    const { reader: formatReader, tool, writtenBy } = await definitionOf(format, options.mapping);
    const reader = chunkReaderOf(formatReader, context, limits);
    yield { kind: 'tool', name: tool, format };
    const normaliser = new ItemNormaliser(options.root);
    try {
      for (const chunk of splitChunk(start)) yield* normaliser.items(reader.push(chunk));
      for await (const bytesRead of bytes)
        for (const chunk of splitChunk(bytesRead)) yield* normaliser.items(reader.push(chunk));
      yield* normaliser.items(reader.finish());
    } catch (error) {
      throw withFormat(error, `It was read as ${format}, which is what is written by ${writtenBy}.`);
    }
    yield* normaliser.warnings();
  } finally {
    await bytes.return(undefined);
  }
}

const MAX_EMPTY_BYTES = 100;

/** Many tools write nothing or an empty list if they find nothing. */
const isEmptyReport = (start: Buffer): boolean =>
  start.length <= MAX_EMPTY_BYTES && /^\uFEFF?\s*(\[\s*\]|\{\s*\})?\s*$/.test(start.toString('utf8'));

/** Without knowing the tool, nothing can be closed. */
function* emptyReport(): Iterable<ReportItem> {
  const message = 'The report is empty and does not name its tool, so no findings are closed. Give its `format`.';
  yield { kind: 'tool', name: 'unknown' };
  yield { kind: 'warning', message };
  yield { kind: 'coverage', isIncomplete: true };
}

const detectFormat = async (start: Buffer): Promise<ReportFormat> =>
  sniffCommonFormat(start) ?? (await import('./sniff-format.ts')).sniffFormat(start);

async function definitionOf(format: ReportFormat, mapping?: ReportMapping): Promise<ReportFormatDefinition> {
  if (mapping) return (await import('../mapping/mapped-format.ts')).mappedFormat(mapping);
  const established: Partial<Record<string, ReportFormatDefinition>> = ESTABLISHED_FORMATS;
  return established[format] ?? (await import('./format-definitions.ts')).FORMAT_DEFINITIONS[format];
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

/** The same error, with the format that was tried. */
function withFormat(error: unknown, tried: string): unknown {
  if (!(error instanceof ReportError) || error.code !== 'NOT_VALID') return error;
  return new ReportError(error.code, `${error.sentence} ${tried}`, error.offset);
}
