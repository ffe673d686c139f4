import { compareDigits, compareLists, compareTexts, createVersionOrder, isDigits } from './version-order.ts';

const PATTERN = /^\d+(\.[0-9a-z]+)*(-[0-9a-z-]+(\.[0-9a-z-]+)*)?$/i;

/** Splits into numbers and words; zeros before words and at the end are dropped. */
function segmentsOf(text: string): string[] {
  const segments = text.replaceAll('-', '.pre.').match(/\d+|[a-z]+/gi) ?? [];
  const firstWord = segments.findIndex((segment) => !isDigits(segment));
  const [numbers, rest] = firstWord === -1 ? [segments, []] : [segments.slice(0, firstWord), segments.slice(firstWord)];
  return [...withoutZeros(numbers), ...withoutZeros(rest)];
}

function withoutZeros(segments: readonly string[]): string[] {
  const end = segments.findLastIndex((segment) => !/^0+$/.test(segment));
  return segments.slice(0, end + 1);
}

/** Versions of Ruby gems and CocoaPods: a version with a word is a pre-release. */
export const gem = createVersionOrder(
  (text) => (PATTERN.test(text) ? segmentsOf(text) : undefined),
  (one, other) =>
    compareLists(one, other, {
      fill: '0',
      compare: (a, b) => {
        if (isDigits(a) !== isDigits(b)) return isDigits(a) ? 1 : -1;
        return isDigits(a) ? compareDigits(a, b) : compareTexts(a, b);
      },
    }),
);
