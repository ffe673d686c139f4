import type { Query, Term, TermValue } from './ast.ts';
import { canonicalize } from './format-query.ts';
import { formatTerm, formatValue } from './format-term.ts';
import type { FilterKey } from './vocabulary/keys.ts';

const isSame = (one: Term, other: Term) => formatTerm(one) === formatTerm(other);

/** The canonical twin of a term, so that one that was made by hand is found among those of a query. */
const twinOf = (term: Term): Term => canonicalize([term]).terms[0] ?? term;

/** The terms of a query about one key, both wanted and excluded. */
export const termsForKey = (query: Query, key: FilterKey): Term[] => query.terms.filter((term) => term.key === key);

/** The query narrowed by one more term. */
export const withTerm = (query: Query, term: Term): Query => canonicalize([...query.terms, term]);

/** The query without that term; the same query if it is not there. */
export const withoutTerm = (query: Query, term: Term): Query =>
  canonicalize(query.terms.filter((one) => !isSame(one, twinOf(term))));

/** What clicking a chip does: takes the value out if a term of the key has it, else lets it be one more alternative. */
export function toggleTermValue(query: Query, key: FilterKey, value: TermValue, isNot = false): Query {
  const text = formatValue(key, value);
  const isThis = (one: TermValue) => formatValue(key, one) === text;
  const own = termsForKey(query, key).filter((term) => term.isNot === isNot);
  const changed = own.find(({ values }) => values.some(isThis)) ?? own[0];
  if (!changed) return withTerm(query, { key, isNot, values: [value] });
  const isThere = changed.values.some(isThis);
  const values = isThere ? changed.values.filter((one) => !isThis(one)) : [...changed.values, value];
  return canonicalize([...query.terms.filter((term) => term !== changed), { key, isNot, values }]);
}

/** A wider query, and the name of the term that was dropped for it: "drop `cwe:89` → 14 results". */
export interface WidenedQuery {
  label: string;
  query: Query;
}

/** The query without one of its terms, with the words to offer it by. */
export const dropTerm = (query: Query, term: Term): WidenedQuery => ({
  label: formatTerm(twinOf(term)),
  query: withoutTerm(query, term),
});
