import { withoutUndefined } from '../json/loose-values.ts';

const CONTEXT_LINES = 2;
/** Results share the source of their file: without limits, each would copy all of it. */
const MAX_LINES = 200;
const MAX_LENGTH = 10_000;

const joined = (rows: readonly string[]) =>
  rows
    .map((row) => row.slice(0, MAX_LENGTH))
    .join('\n')
    .slice(0, MAX_LENGTH) || undefined;

/** The matched lines and their context, from source code in the report; empty values are omitted. */
export function linesAround(rows: readonly string[] | undefined, line: number, endLine: number) {
  if (rows === undefined || line === 0) return {};
  const from = line - 1;
  const to = Math.min(Math.max(endLine, line), from + MAX_LINES);
  return withoutUndefined({
    code: joined(rows.slice(from, to)),
    context: joined(rows.slice(Math.max(0, from - CONTEXT_LINES), to + CONTEXT_LINES)),
  });
}
