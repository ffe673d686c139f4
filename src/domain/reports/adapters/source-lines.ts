import { withoutUndefined } from '../json/loose-values.ts';

const CONTEXT_LINES = 2;

/** The lines of a match and those around it, out of a source that the report carries; empty ones are left out. */
export function linesAround(rows: readonly string[] | undefined, line: number, endLine: number) {
  if (rows === undefined || line === 0) return {};
  const from = line - 1;
  const to = Math.max(endLine, line);
  return withoutUndefined({
    code: rows.slice(from, to).join('\n') || undefined,
    context: rows.slice(Math.max(0, from - CONTEXT_LINES), to + CONTEXT_LINES).join('\n') || undefined,
  });
}
