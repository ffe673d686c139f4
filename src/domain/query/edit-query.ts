import type { Query, Term, TermValue } from './ast.ts';
import { canonicalize } from './format-query.ts';
import { formatTerm, formatValue } from './format-term.ts';
import type { FilterKey } from './vocabulary/keys.ts';

const isSame = (left: Term, right: Term) => formatTerm(left) === formatTerm(right);

/** The canonical form of a term, by which it is found among the terms of a query. */
const canonicalTerm = (term: Term): Term => canonicalize([term]).terms[0] ?? term;

/** The terms of a query with this key, including exclusions. */
export const termsForKey = (query: Query, key: FilterKey): Term[] => query.terms.filter((term) => term.key === key);

/** The query narrowed by one more term. */
export const withTerm = (query: Query, term: Term): Query => canonicalize([...query.terms, term]);

/** The query without that term; unchanged if it has no such term. */
export const withoutTerm = (query: Query, term: Term): Query =>
  canonicalize(query.terms.filter((other) => !isSame(other, canonicalTerm(term))));

/** Removes the value if a term of the key has it, else adds it as an alternative. */
export function toggleTermValue(query: Query, key: FilterKey, value: TermValue, isNot = false): Query {
  const text = formatValue(key, value);
  const isToggled = (other: TermValue) => formatValue(key, other) === text;
  const own = termsForKey(query, key).filter((term) => term.isNot === isNot);
  const changed = own.find(({ values }) => values.some(isToggled)) ?? own[0];
  if (!changed) return withTerm(query, { key, isNot, values: [value] });
  const isPresent = changed.values.some(isToggled);
  const values = isPresent ? changed.values.filter((other) => !isToggled(other)) : [...changed.values, value];
  return canonicalize([...query.terms.filter((term) => term !== changed), { key, isNot, values }]);
}

/** A wider query, and the text of the term that was dropped for it: "drop `cwe:89` → 14 results". */
export interface WidenedQuery {
  label: string;
  query: Query;
}

/** The query without one of its terms, with the text of that term as a label. */
export const dropTerm = (query: Query, term: Term): WidenedQuery => ({
  label: formatTerm(canonicalTerm(term)),
  query: withoutTerm(query, term),
});
