import { termsOf, toggle } from '#domain/query/edit.ts';
import type { Key } from '#domain/query/keys.ts';
import { parse } from '#domain/query/parse.ts';
import { canonical, print } from '#domain/query/print.ts';
import type { Problem, Query } from '#domain/query/structure.ts';
import { readValue } from '#domain/query/values.ts';
import { IS } from '#domain/query/words.ts';
import { valueText } from '#domain/query/write.ts';

/** What is shown when the address says nothing. */
export const DEFAULT_Q = 'is:open';

/** What the filter of an address means: the text as written, what was understood of it, and what was not. */
export interface View {
  text: string;
  query: Query;
  problems: readonly Problem[];
  /** The canonical text of what was understood: what the API is asked. */
  q: string;
}

export function viewOf(text = DEFAULT_Q): View {
  const { query, problems } = parse(text);
  return { text: problems.length > 0 ? text : print(query), query, problems, q: print(query) };
}

/** The states by which the tabs above a list divide it; the other words of `is` describe findings of any state. */
export const STATES = ['open', 'reviewing', 'to-fix', 'provisional', 'ignored', 'fixed'] as const;
export type StateWord = (typeof STATES)[number];

const storedOf = (word: StateWord) => IS.find((one) => one.word === word)?.stored ?? word;
const STORED = new Set(STATES.map(storedOf));

const isAboutState = ({ key, isNot, values }: Query['terms'][number]) =>
  key === 'is' && !isNot && values.every((value) => value.kind === 'exact' && STORED.has(value.value));

/** The query in one state, whatever state it was about before; without one, in any. */
export function inState(query: Query, word?: StateWord): Query {
  const rest = query.terms.filter((term) => !isAboutState(term));
  if (word === undefined) return canonical(rest);
  return canonical([...rest, { key: 'is', isNot: false, values: [{ kind: 'exact', value: storedOf(word) }] }]);
}

/** Every state by name, because a filter without any term would be read as the one that stands when nothing is said. */
export const EVERYTHING = viewOf(`is:${STATES.join(',')}`).q;

/** The state that a query is about, when it is one. */
export function stateOf(query: Query): StateWord | 'any' | undefined {
  const own = query.terms.filter(isAboutState);
  const [only] = own;
  if (!only) return 'any';
  if (own.length > 1) return undefined;
  if (only.values.length === STATES.length) return 'any';
  const [value] = only.values;
  return only.values.length === 1 && value?.kind === 'exact'
    ? STATES.find((word) => storedOf(word) === value.value)
    : undefined;
}

/** What stands in the address for a query: nothing for the usual one, so that equal views have equal addresses. */
export function addressOf(query: Query): string | undefined {
  const q = print(query);
  if (q === '') return EVERYTHING;
  return q === DEFAULT_Q ? undefined : q;
}

/** The query after a click on a value of a facet, as it is written after its key. */
export function toggled(query: Query, key: Key, written: string): Query {
  const read = readValue(key, written);
  return 'values' in read ? read.values.reduce((next, value) => toggle(next, key, value), query) : query;
}

/** Whether a value of a facet is among what the query asks for. */
export function isAsked(query: Query, key: Key, written: string): boolean {
  const read = readValue(key, written);
  if (!('values' in read)) return false;
  const own = termsOf(query, key).filter(({ isNot }) => !isNot);
  const texts = new Set(own.flatMap(({ values }) => values.map((value) => valueText(key, value))));
  return read.values.every((value) => texts.has(valueText(key, value)));
}
