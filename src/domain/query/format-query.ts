import { MAX_VALUES_PER_TERM, type Query, type Term, type TermValue } from './ast.ts';
import { formatTerm, formatValue } from './format-term.ts';

const compare = (left: string, right: string) => (left < right ? -1 : left > right ? 1 : 0);

function sortedValues(key: Term['key'], values: readonly TermValue[]): TermValue[] {
  const byText = new Map(values.map((value) => [formatValue(key, value), value]));
  return [...byText].sort(([left], [right]) => compare(left, right)).map(([, value]) => value);
}

/** Merges the exclusions of a key into one term, split only where it would have too many values. */
function mergedExclusions(terms: readonly Term[]): Term[] {
  const keys = [...new Set(terms.map(({ key }) => key))];
  return keys.flatMap((key) => {
    const all = sortedValues(
      key,
      terms.filter((term) => term.key === key).flatMap(({ values }) => values),
    );
    const count = Math.ceil(all.length / MAX_VALUES_PER_TERM);
    return Array.from({ length: count }, (_, index) => ({
      key,
      isNot: true,
      values: all.slice(index * MAX_VALUES_PER_TERM, (index + 1) * MAX_VALUES_PER_TERM),
    }));
  });
}

/** Sorts by key; text comes last, and exclusions follow the other terms of their key. */
const rankOf = ({ key, isNot }: Term) => `${key === 'text' ? '~' : key} ${isNot ? 1 : 0}`;

/** The canonical form: keys sorted, values sorted and unique, no term twice. */
export function canonicalize(terms: readonly Term[]): Query {
  const inclusions = terms
    .filter(({ isNot }) => !isNot)
    .map(({ key, values }): Term => ({ key, isNot: false, values: sortedValues(key, values) }));
  const all = [...inclusions, ...mergedExclusions(terms.filter(({ isNot }) => isNot))];
  const byText = new Map(all.filter(({ values }) => values.length > 0).map((term) => [formatTerm(term), term]));
  const sorted = [...byText].sort(
    ([left, leftTerm], [right, rightTerm]) => compare(rankOf(leftTerm), rankOf(rightTerm)) || compare(left, right),
  );
  return { terms: sorted.map(([, term]) => term) };
}

/** The text of a query. Equal queries have equal texts, and parsing the text returns the query. */
export const formatQuery = ({ terms }: Query): string => canonicalize(terms).terms.map(formatTerm).join(' ');
