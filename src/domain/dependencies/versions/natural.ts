import { compareDigits, compareLists, compareTexts, createVersionOrder, isDigits } from './version-order.ts';

const rankOf = (part: string | undefined) => {
  if (part === undefined) return 1;
  if (part.startsWith('~')) return 0;
  return isDigits(part) ? 3 : 2;
};

/** For ecosystems without a specification: numbers by value, words as text, and `~` before everything. */
export const natural = createVersionOrder(
  (text) => (/^v?\d/.test(text) ? (text.replace(/^v/, '').match(/\d+|[a-z]+|~+/gi) ?? []) : undefined),
  (one, other) =>
    compareLists<string | undefined>(one, other, {
      fill: undefined,
      compare: (a, b) => {
        const order = rankOf(a) - rankOf(b);
        if (order !== 0 || a === undefined || b === undefined) return order;
        return isDigits(a) ? compareDigits(a, b) : compareTexts(a, b);
      },
    }),
);
