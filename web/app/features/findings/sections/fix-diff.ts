import type { DiffLine } from '#web/ui/text/diff-line.ts';

interface FixInput {
  /** The matching code: whole lines, or the match alone. */
  code: string;
  /** The replacement for the match. */
  fix: string;
  line: number;
  endLine: number;
  column: number;
  endColumn: number;
}

const linesOf = (text: string): string[] => text.replaceAll('\r\n', '\n').replace(/\n$/, '').split('\n');

/** Replaces the match within its lines; if the code is the match alone, the result is the fix. */
function fixedLines({ code, fix, line, endLine, column, endColumn }: FixInput): string[] {
  const before = linesOf(code);
  const first = before[0] ?? '';
  const last = before[endLine - line] ?? '';
  const isWhole = before.length === endLine - line + 1 && column > 0 && last.length >= endColumn - 1;
  const isMatchAlone = before.length === 1 && first.length === endColumn - column && column > 1;
  if (!isWhole || isMatchAlone) return linesOf(fix);
  return linesOf(first.slice(0, column - 1) + fix + last.slice(endColumn - 1));
}

const indentOf = (line: string) => line.slice(0, line.length - line.trimStart().length);

/** Removes the indent of the fix if the scanner removed it from the code, so that the lines are comparable. */
function aligned(before: readonly string[], after: string[]): string[] {
  const indent = indentOf(after[0] ?? '');
  if (indent === '' || before.length === 0 || indentOf(before[0] ?? '') !== '') return after;
  return after.map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line));
}

/** The rule's fix as a diff. */
export function fixDiff(fixable: FixInput): DiffLine[] {
  const before = fixable.code === '' ? [] : linesOf(fixable.code);
  const after = aligned(before, fixedLines(fixable));
  let head = 0;
  while (head < Math.min(before.length, after.length) && before[head] === after[head]) head++;
  let tail = 0;
  while (
    tail < Math.min(before.length, after.length) - head &&
    before[before.length - 1 - tail] === after[after.length - 1 - tail]
  )
    tail++;
  const as = (kind: DiffLine['kind']) => (text: string) => ({ kind, text });
  return [
    ...before.slice(0, head).map(as('same')),
    ...before.slice(head, before.length - tail).map(as('removed')),
    ...after.slice(head, after.length - tail).map(as('added')),
    ...before.slice(before.length - tail).map(as('same')),
  ];
}

const isHeader = (line: string) => /^(?:---|\+\+\+|diff |index |@@)/.test(line);

/** Parses a unified diff without its headers. */
export function diffLines(diff: string): DiffLine[] {
  return linesOf(diff)
    .filter((line) => !isHeader(line))
    .map((line) => {
      const kind = line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : 'same';
      return { kind, text: line.replace(/^[-+ ]/, '') };
    });
}
