/** The column types that rows can be copied into. */
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

/** A value of a row; what a `jsonb` column gets is written as JSON, whatever it is. */
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
  if (!Array.isArray(value)) throw new TypeError('A column of a list gets a list.');
  return `{${value.map(element).join(',')}}`;
}

type Writer = (value: NonNullable<CopyCell>) => string;

/** Only texts can hold what COPY would take for something else, and they may be meant for a column of any type. */
const plain: Writer = (value) =>
  typeof value === 'string' || typeof value === 'object' ? escaped(scalar(value)) : String(value);

function writerOf(type: ColumnType): Writer {
  if (type === 'jsonb') return (value) => escaped(JSON.stringify(value));
  return type.endsWith('[]') ? (value) => escaped(list(value)) : plain;
}

const CHUNK_CHARACTERS = 64 * 1024;

/** Writes rows of these columns as lines in the text format of COPY. */
export function lineWriter(types: readonly ColumnType[]): (row: CopyRow) => string {
  const cells = cellWriter(types);
  return (row) => `${cells(row)}\n`;
}

/** The same for a part of a line: without the end of it. */
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

/** Rows in the text format of COPY, in pieces of about 64 KiB. */
export async function* copyText(
  types: readonly ColumnType[],
  rows: Iterable<CopyRow> | AsyncIterable<CopyRow>,
): AsyncGenerator<Buffer> {
  const lineOf = lineWriter(types);
  let piece = '';
  for await (const row of rows) {
    piece += lineOf(row);
    if (piece.length < CHUNK_CHARACTERS) continue;
    yield Buffer.from(piece);
    piece = '';
  }
  if (piece !== '') yield Buffer.from(piece);
}
