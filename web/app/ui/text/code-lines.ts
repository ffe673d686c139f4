export interface CodeLine {
  /** Absent if the position in the file is unknown. */
  number?: number;
  text: string;
  isMarked: boolean;
}

export interface CodeExcerpt {
  /** The lines to show: the match with or without context lines. */
  content: string;
  /** The matching lines. */
  code: string;
  line: number;
  endLine: number;
}

const CONTEXT_LINES = 2;
const MAX_LINES = 400;

const linesOf = (text: string): string[] => text.replaceAll('\r\n', '\n').replace(/\n$/, '').split('\n');

/** Finds where the match starts within the excerpt: scanners report both texts, but not the offset between them. */
function findOffset(content: readonly string[], code: readonly string[], line: number): number | undefined {
  const [first = ''] = code;
  const matchesExactly = (at: number) =>
    code.every((text, index) => (content[at + index] ?? '').trim() === text.trim());
  const containsFirstLine = (at: number) => first.trim() !== '' && (content[at] ?? '').includes(first.trim());
  const expected = Math.min(CONTEXT_LINES, Math.max(0, line - 1));
  const nearest = (offsets: number[]) => offsets.sort((a, b) => Math.abs(a - expected) - Math.abs(b - expected))[0];
  const offsets = content.map((_, index) => index);
  return nearest(offsets.filter(matchesExactly)) ?? nearest(offsets.filter(containsFirstLine));
}

/** Splits an excerpt into lines with their line numbers, and marks the matching ones. */
export function codeLines({ content, code, line, endLine }: CodeExcerpt): CodeLine[] {
  const lines = linesOf(content);
  const exactOffset =
    content === code || code === '' ? (lines.length === endLine - line + 1 ? 0 : undefined) : undefined;
  const start = exactOffset ?? findOffset(lines, linesOf(code === '' ? content : code), line);
  const marked = Math.max(1, endLine - line + 1);
  return lines.slice(0, MAX_LINES).map((text, index) => ({
    ...(start !== undefined && line > start && { number: line - start + index }),
    text,
    isMarked: start !== undefined && index >= start && index < start + marked && lines.length > marked,
  }));
}
