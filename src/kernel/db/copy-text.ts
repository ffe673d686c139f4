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
export type Cell = string | number | bigint | boolean | null | undefined | Date | readonly unknown[] | object;
export type Cells = readonly Cell[];

const NULL = '\\N';
const SPECIAL = /[\\\n\r\t]/;
const ESCAPES: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

const escaped = (text: string): string =>
  SPECIAL.test(text) ? text.replace(/[\\\n\r\t]/g, (character) => ESCAPES[character] ?? character) : text;

const scalar = (value: Cell): string => (value instanceof Date ? value.toISOString() : String(value));

const element = (value: unknown): string =>
  value === null || value === undefined ? 'NULL' : `"${String(value).replace(/["\\]/g, '\\$&')}"`;

function list(value: Cell): string {
  if (!Array.isArray(value)) throw new TypeError('A column of a list gets a list.');
  return `{${value.map(element).join(',')}}`;
}

type Writer = (value: Cell) => string;

function writerOf(type: ColumnType): Writer {
  if (type === 'jsonb') return JSON.stringify;
  return type.endsWith('[]') ? list : scalar;
}

const CHUNK_CHARACTERS = 64 * 1024;

/** Rows in the text format of COPY, in pieces of about 64 KiB. */
export async function* copyText(
  types: readonly ColumnType[],
  rows: Iterable<Cells> | AsyncIterable<Cells>,
): AsyncGenerator<Buffer> {
  const writers = types.map(writerOf);
  let text = '';
  for await (const row of rows) {
    if (row.length !== writers.length) throw new Error(`A row has ${row.length} of ${writers.length} columns.`);
    for (const [index, write] of writers.entries()) {
      const value = row[index];
      const isAbsent = value === null || value === undefined;
      text += (index === 0 ? '' : '\t') + (isAbsent ? NULL : escaped(write(value)));
    }
    text += '\n';
    if (text.length < CHUNK_CHARACTERS) continue;
    yield Buffer.from(text);
    text = '';
  }
  if (text !== '') yield Buffer.from(text);
}
