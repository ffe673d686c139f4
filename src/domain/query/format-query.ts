import { MAX_VALUES_PER_TERM, type Query, type Term, type TermValue } from './ast.ts';
import { formatTerm, formatValue } from './format-term.ts';

const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);

function sortedValues(key: Term['key'], values: readonly TermValue[]): TermValue[] {
  const byText = new Map(values.map((value) => [formatValue(key, value), value]));
  return [...byText].sort(([one], [other]) => compare(one, other)).map(([, value]) => value);
}

/** Not a and not b is neither a nor b: one term a key, cut only where it would have too many values. */
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

/** Text comes last, where people write it; exclusions follow what they take from. */
const rankOf = ({ key, isNot }: Term) => `${key === 'text' ? '~' : key} ${isNot ? 1 : 0}`;

/** The one form of all queries that say the same: keys sorted, values sorted and unique, no term twice. */
export function canonicalize(terms: readonly Term[]): Query {
  const wanted = terms
    .filter(({ isNot }) => !isNot)
    .map(({ key, values }): Term => ({ key, isNot: false, values: sortedValues(key, values) }));
  const all = [...wanted, ...mergedExclusions(terms.filter(({ isNot }) => isNot))];
  const byText = new Map(all.filter(({ values }) => values.length > 0).map((term) => [formatTerm(term), term]));
  const sorted = [...byText].sort(
    ([one, oneTerm], [other, otherTerm]) => compare(rankOf(oneTerm), rankOf(otherTerm)) || compare(one, other),
  );
  return { terms: sorted.map(([, term]) => term) };
}

/** The text of a query: equal views have equal texts, and parsing it gives the query back. */
export const formatQuery = ({ terms }: Query): string => canonicalize(terms).terms.map(formatTerm).join(' ');
