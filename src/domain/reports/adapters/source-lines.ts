import { withoutUndefined } from '../json/loose-values.ts';

const CONTEXT_LINES = 2;

/** The matched lines and their context, from source code in the report; empty values are omitted. */
export function linesAround(rows: readonly string[] | undefined, line: number, endLine: number) {
  if (rows === undefined || line === 0) return {};
  const from = line - 1;
  const to = Math.max(endLine, line);
  return withoutUndefined({
    code: rows.slice(from, to).join('\n') || undefined,
    context: rows.slice(Math.max(0, from - CONTEXT_LINES), to + CONTEXT_LINES).join('\n') || undefined,
  });
}
