import type { FilterProblem, Query } from '#domain/query/ast.ts';
import { termsForKey, toggleTermValue } from '#domain/query/edit-query.ts';
import { canonicalize, formatQuery } from '#domain/query/format-query.ts';
import { formatValue } from '#domain/query/format-term.ts';
import { parseFilter } from '#domain/query/parse-filter.ts';
import { parseValue } from '#domain/query/parse-value.ts';
import { STATE_VALUES } from '#domain/query/vocabulary/enum-values.ts';
import type { FilterKey } from '#domain/query/vocabulary/keys.ts';

/** The filter when the URL has none. */
export const DEFAULT_Q = 'is:open';

/** A parsed filter: the text as written, the query and the problems. */
export interface FilterView {
  text: string;
  query: Query;
  problems: readonly FilterProblem[];
  /** The canonical text of the valid part, which is sent to the API. */
  q: string;
}

export function parseFilterView(text = DEFAULT_Q): FilterView {
  const { query, problems } = parseFilter(text);
  return { text: problems.length > 0 ? text : formatQuery(query), query, problems, q: formatQuery(query) };
}

/** The states that have a tab above the list; other values of `is` apply to findings in any state. */
export const FILTER_STATES = ['open', 'reviewing', 'to-fix', 'provisional', 'ignored', 'fixed'] as const;
export type FilterState = (typeof FILTER_STATES)[number];

const storedOf = (word: FilterState) => STATE_VALUES.find((one) => one.name === word)?.stored ?? word;
const STORED = new Set(FILTER_STATES.map(storedOf));

const isStateTerm = ({ key, isNot, values }: Query['terms'][number]) =>
  key === 'is' && !isNot && values.every((value) => value.kind === 'exact' && STORED.has(value.value));

/** Replaces the state of the query; without a state, removes it. */
export function withState(query: Query, word?: FilterState): Query {
  const rest = query.terms.filter((term) => !isStateTerm(term));
  if (word === undefined) return canonicalize(rest);
  return canonicalize([...rest, { key: 'is', isNot: false, values: [{ kind: 'exact', value: storedOf(word) }] }]);
}

/** Lists every state, because an empty filter in the URL means the default filter. */
export const ALL_STATES_Q = parseFilterView(`is:${FILTER_STATES.join(',')}`).q;

/** The single state that a query selects, or `any`. */
export function filterStateOf(query: Query): FilterState | 'any' | undefined {
  const stateTerms = query.terms.filter(isStateTerm);
  const [only] = stateTerms;
  if (!only) return 'any';
  if (stateTerms.length > 1) return undefined;
  if (only.values.length === FILTER_STATES.length) return 'any';
  const [value] = only.values;
  return only.values.length === 1 && value?.kind === 'exact'
    ? FILTER_STATES.find((word) => storedOf(word) === value.value)
    : undefined;
}

/** The URL parameter for a query; undefined for the default, so that equal views have equal URLs. */
export function filterParam(query: Query): string | undefined {
  const q = formatQuery(query);
  if (q === '') return ALL_STATES_Q;
  return q === DEFAULT_Q ? undefined : q;
}

/** Toggles a facet value, given as it is written after its key. */
export function toggleValue(query: Query, key: FilterKey, written: string): Query {
  const read = parseValue(key, written);
  return 'values' in read ? read.values.reduce((next, value) => toggleTermValue(next, key, value), query) : query;
}

/** Whether the query includes a facet value. */
export function hasValue(query: Query, key: FilterKey, written: string): boolean {
  const read = parseValue(key, written);
  if (!('values' in read)) return false;
  const stateTerms = termsForKey(query, key).filter(({ isNot }) => !isNot);
  const texts = new Set(stateTerms.flatMap(({ values }) => values.map((value) => formatValue(key, value))));
  return read.values.every((value) => texts.has(formatValue(key, value)));
}
