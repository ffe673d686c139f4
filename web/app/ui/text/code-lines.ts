export interface CodeLine {
  /** Absent where nothing says where in the file the line stands. */
  number?: number;
  text: string;
  isMarked: boolean;
}

export interface CodeExcerpt {
  /** The lines that are shown: the match with its neighbours, or the match alone. */
  content: string;
  /** The lines that match. */
  code: string;
  line: number;
  endLine: number;
}

const NEIGHBOURS = 2;
const MOST_LINES = 400;

const linesOf = (text: string): string[] => text.replaceAll('\r\n', '\n').replace(/\n$/, '').split('\n');

/** Where the matching lines begin within the excerpt: scanners cut both from the same file, and say no more. */
function placeOf(content: readonly string[], code: readonly string[], line: number): number | undefined {
  const [first = ''] = code;
  const isThere = (at: number) => code.every((text, index) => (content[at + index] ?? '').trim() === text.trim());
  const holds = (at: number) => first.trim() !== '' && (content[at] ?? '').includes(first.trim());
  const expected = Math.min(NEIGHBOURS, Math.max(0, line - 1));
  const nearest = (places: number[]) =>
    places.sort((one, other) => Math.abs(one - expected) - Math.abs(other - expected))[0];
  const places = content.map((_, index) => index);
  return nearest(places.filter(isThere)) ?? nearest(places.filter(holds));
}

/** The lines of an excerpt with their numbers in the file, and those that match marked. */
export function codeLines({ content, code, line, endLine }: CodeExcerpt): CodeLine[] {
  const lines = linesOf(content);
  const place = content === code || code === '' ? (lines.length === endLine - line + 1 ? 0 : undefined) : undefined;
  const start = place ?? placeOf(lines, linesOf(code === '' ? content : code), line);
  const marked = Math.max(1, endLine - line + 1);
  return lines.slice(0, MOST_LINES).map((text, index) => ({
    ...(start !== undefined && line > start && { number: line - start + index }),
    text,
    isMarked: start !== undefined && index >= start && index < start + marked && lines.length > marked,
  }));
}
