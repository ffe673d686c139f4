import type { Key } from './keys.ts';
import { canonical } from './print.ts';
import type { Query, Term, Value } from './structure.ts';
import { termText, valueText } from './write.ts';

const isSame = (one: Term, other: Term) => termText(one) === termText(other);

/** The canonical twin of a term, so that one that was made by hand is found among those of a query. */
const twinOf = (term: Term): Term => canonical([term]).terms[0] ?? term;

/** The terms of a query about one key, both wanted and excluded. */
export const termsOf = (query: Query, key: Key): Term[] => query.terms.filter((term) => term.key === key);

/** The query narrowed by one more term. */
export const withTerm = (query: Query, term: Term): Query => canonical([...query.terms, term]);

/** The query without that term; the same query if it is not there. */
export const withoutTerm = (query: Query, term: Term): Query =>
  canonical(query.terms.filter((one) => !isSame(one, twinOf(term))));

/** What clicking a chip does: takes the value out if a term of the key has it, else lets it be one more alternative. */
export function toggle(query: Query, key: Key, value: Value, isNot = false): Query {
  const text = valueText(key, value);
  const isThis = (one: Value) => valueText(key, one) === text;
  const own = termsOf(query, key).filter((term) => term.isNot === isNot);
  const changed = own.find(({ values }) => values.some(isThis)) ?? own[0];
  if (!changed) return withTerm(query, { key, isNot, values: [value] });
  const isThere = changed.values.some(isThis);
  const values = isThere ? changed.values.filter((one) => !isThis(one)) : [...changed.values, value];
  return canonical([...query.terms.filter((term) => term !== changed), { key, isNot, values }]);
}

/** A wider query, and the name of the term that was dropped for it: "drop `cwe:89` → 14 results". */
export interface Dropped {
  label: string;
  query: Query;
}

/** The query without one of its terms, with the words to offer it by. */
export const drop = (query: Query, term: Term): Dropped => ({
  label: termText(twinOf(term)),
  query: withoutTerm(query, term),
});
