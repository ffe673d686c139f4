import type { FilterProblem, Query } from '#domain/query/ast.ts';
import { termsForKey, toggleTermValue } from '#domain/query/edit-query.ts';
import { canonicalize, formatQuery } from '#domain/query/format-query.ts';
import { formatValue } from '#domain/query/format-term.ts';
import { parseFilter } from '#domain/query/parse-filter.ts';
import { parseValue } from '#domain/query/parse-value.ts';
import { STATE_VALUES } from '#domain/query/vocabulary/enum-values.ts';
import type { FilterKey } from '#domain/query/vocabulary/keys.ts';

/** What is shown when the address says nothing. */
export const DEFAULT_Q = 'is:open';

/** What the filter of an address means: the text as written, what was understood of it, and what was not. */
export interface FilterView {
  text: string;
  query: Query;
  problems: readonly FilterProblem[];
  /** The canonical text of what was understood: what the API is asked. */
  q: string;
}

export function parseFilterView(text = DEFAULT_Q): FilterView {
  const { query, problems } = parseFilter(text);
  return { text: problems.length > 0 ? text : formatQuery(query), query, problems, q: formatQuery(query) };
}

/** The states by which the tabs above a list divide it; the other words of `is` describe findings of any state. */
export const FILTER_STATES = ['open', 'reviewing', 'to-fix', 'provisional', 'ignored', 'fixed'] as const;
export type FilterState = (typeof FILTER_STATES)[number];

const storedOf = (word: FilterState) => STATE_VALUES.find((one) => one.name === word)?.stored ?? word;
const STORED = new Set(FILTER_STATES.map(storedOf));

const isAboutState = ({ key, isNot, values }: Query['terms'][number]) =>
  key === 'is' && !isNot && values.every((value) => value.kind === 'exact' && STORED.has(value.value));

/** The query in one state, whatever state it was about before; without one, in any. */
export function withState(query: Query, word?: FilterState): Query {
  const rest = query.terms.filter((term) => !isAboutState(term));
  if (word === undefined) return canonicalize(rest);
  return canonicalize([...rest, { key: 'is', isNot: false, values: [{ kind: 'exact', value: storedOf(word) }] }]);
}

/** Every state by name, because a filter without any term would be read as the one that stands when nothing is said. */
export const ALL_STATES_Q = parseFilterView(`is:${FILTER_STATES.join(',')}`).q;

/** The state that a query is about, when it is one. */
export function filterStateOf(query: Query): FilterState | 'any' | undefined {
  const own = query.terms.filter(isAboutState);
  const [only] = own;
  if (!only) return 'any';
  if (own.length > 1) return undefined;
  if (only.values.length === FILTER_STATES.length) return 'any';
  const [value] = only.values;
  return only.values.length === 1 && value?.kind === 'exact'
    ? FILTER_STATES.find((word) => storedOf(word) === value.value)
    : undefined;
}

/** What stands in the address for a query: nothing for the usual one, so that equal views have equal addresses. */
export function filterParam(query: Query): string | undefined {
  const q = formatQuery(query);
  if (q === '') return ALL_STATES_Q;
  return q === DEFAULT_Q ? undefined : q;
}

/** The query after a click on a value of a facet, as it is written after its key. */
export function toggleValue(query: Query, key: FilterKey, written: string): Query {
  const read = parseValue(key, written);
  return 'values' in read ? read.values.reduce((next, value) => toggleTermValue(next, key, value), query) : query;
}

/** Whether a value of a facet is among what the query asks for. */
export function hasValue(query: Query, key: FilterKey, written: string): boolean {
  const read = parseValue(key, written);
  if (!('values' in read)) return false;
  const own = termsForKey(query, key).filter(({ isNot }) => !isNot);
  const texts = new Set(own.flatMap(({ values }) => values.map((value) => formatValue(key, value))));
  return read.values.every((value) => texts.has(formatValue(key, value)));
}
