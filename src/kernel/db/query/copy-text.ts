/** The column types that COPY can fill. */
export type ColumnType =
  | 'text'
  | 'boolean'
  | 'smallint'
  | 'integer'
  | 'bigint'
  | 'double precision'
  | 'numeric'
  | 'timestamptz'
  | 'uuid'
  | 'jsonb'
  | 'text[]'
  | 'integer[]'
  | 'bigint[]';

/** A value of a row; for a `jsonb` column any value is written as JSON. */
export type CopyCell = string | number | bigint | boolean | null | undefined | Date | readonly unknown[] | object;
export type CopyRow = readonly CopyCell[];

const NULL = '\\N';
const SPECIAL = /[\\\n\r\t]/;
const ESCAPES = [
  ['\\', '\\\\'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
] as const;

function escaped(text: string): string {
  if (!SPECIAL.test(text)) return text;
  let safe = text;
  for (const [special, written] of ESCAPES) if (safe.includes(special)) safe = safe.replaceAll(special, written);
  return safe;
}

const scalar = (value: CopyCell): string => (value instanceof Date ? value.toISOString() : String(value));

const element = (value: unknown): string =>
  value === null || value === undefined ? 'NULL' : `"${String(value).replace(/["\\]/g, '\\$&')}"`;

function list(value: CopyCell): string {
  if (!Array.isArray(value)) throw new TypeError('An array column needs an array.');
  return `{${value.map(element).join(',')}}`;
}

type Writer = (value: NonNullable<CopyCell>) => string;

/** Only strings can contain characters that COPY treats as special; a string may be meant for a column of any type. */
const plain: Writer = (value) =>
  typeof value === 'string' || typeof value === 'object' ? escaped(scalar(value)) : String(value);

function writerOf(type: ColumnType): Writer {
  if (type === 'jsonb') return (value) => escaped(JSON.stringify(value));
  return type.endsWith('[]') ? (value) => escaped(list(value)) : plain;
}

const CHUNK_CHARACTERS = 64 * 1024;

/** Formats rows as lines in the text format of COPY. */
export function lineWriter(types: readonly ColumnType[]): (row: CopyRow) => string {
  const cells = cellWriter(types);
  return (row) => `${cells(row)}\n`;
}

/** The same for a part of a line, without the newline. */
export function cellWriter(types: readonly ColumnType[]): (row: CopyRow) => string {
  const writers = types.map(writerOf);
  return (row) => {
    if (row.length !== writers.length) throw new Error(`A row has ${row.length} of ${writers.length} columns.`);
    let line = '';
    for (let index = 0; index < writers.length; index++) {
      const value = row[index];
      if (index > 0) line += '\t';
      line += value === null || value === undefined ? NULL : writers[index]?.(value);
    }
    return line;
  };
}

/** Rows in the text format of COPY, in chunks of about 64 KiB. */
export async function* copyText(
  types: readonly ColumnType[],
  rows: Iterable<CopyRow> | AsyncIterable<CopyRow>,
): AsyncGenerator<Buffer> {
  const lineOf = lineWriter(types);
  let chunk = '';
  for await (const row of rows) {
    chunk += lineOf(row);
    if (chunk.length < CHUNK_CHARACTERS) continue;
    yield Buffer.from(chunk);
    chunk = '';
  }
  if (chunk !== '') yield Buffer.from(chunk);
}
