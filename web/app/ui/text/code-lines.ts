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
function placeOf(content: readonly string[], code: readonly string[], line: number): number | undefined {
  const [first = ''] = code;
  const isThere = (at: number) => code.every((text, index) => (content[at + index] ?? '').trim() === text.trim());
  const holds = (at: number) => first.trim() !== '' && (content[at] ?? '').includes(first.trim());
  const expected = Math.min(CONTEXT_LINES, Math.max(0, line - 1));
  const nearest = (places: number[]) =>
    places.sort((one, other) => Math.abs(one - expected) - Math.abs(other - expected))[0];
  const places = content.map((_, index) => index);
  return nearest(places.filter(isThere)) ?? nearest(places.filter(holds));
}

/** Splits an excerpt into lines with their line numbers, and marks the matching ones. */
export function codeLines({ content, code, line, endLine }: CodeExcerpt): CodeLine[] {
  const lines = linesOf(content);
  const place = content === code || code === '' ? (lines.length === endLine - line + 1 ? 0 : undefined) : undefined;
  const start = place ?? placeOf(lines, linesOf(code === '' ? content : code), line);
  const marked = Math.max(1, endLine - line + 1);
  return lines.slice(0, MAX_LINES).map((text, index) => ({
    ...(start !== undefined && line > start && { number: line - start + index }),
    text,
    isMarked: start !== undefined && index >= start && index < start + marked && lines.length > marked,
  }));
}
