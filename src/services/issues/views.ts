import type { z } from 'zod';
import type { Asking } from '#domain/findings/filter.ts';
import { CONFIDENCES, SEVERITIES } from '#domain/findings/shape.ts';
import { termsOf, withoutTerm } from '#domain/query/edit.ts';
import { KEYS, type KeyRow } from '#domain/query/keys.ts';
import { parse } from '#domain/query/parse.ts';
import { print } from '#domain/query/print.ts';
import type { Query } from '#domain/query/structure.ts';
import { valueText } from '#domain/query/write.ts';
import type { Tx } from '#kernel/db/tx.ts';
import * as store from './facets.ts';
import type { IssueFilter } from './filter-shape.ts';
import type { getIssueFacets } from './views-contract.ts';
import { FACET_KEYS, type FacetKey } from './views-shape.ts';
import { filterOf } from './wanted.ts';

export interface Question {
  q?: string | undefined;
  filter?: IssueFilter | undefined;
}

type Keys = store.Look['keys'];
/** Counts the values of some keys over all that a question is about. */
export type LookAt = (tx: Tx, asking: Asking, wanted: Question & { keys: Keys }) => Promise<store.Looked>;

export const lookAtIssues: LookAt = (tx, asking, { keys, ...question }) =>
  store.look(tx, asking, { filter: filterOf(question, asking.now), keys });

/** The members of a filter that say the same as a key of the filter bar. */
const MEMBERS: Record<FacetKey, readonly (keyof IssueFilter)[]> = {
  is: ['tab', 'status', 'aggregateIssueStates'],
  severity: ['severities'],
  type: ['filterIssueTypes'],
  project: ['repositoryNames', 'repositoryIds'],
  rule: ['rules', 'ruleIds'],
  tag: ['repositoryTags'],
  cwe: [],
  confidence: ['confidences'],
};

/** The question without what it says of one key. */
function without(key: FacetKey, { query, filter = {} }: { query: Query; filter?: IssueFilter | undefined }) {
  const others = Object.entries(filter).filter(([name]) => !(MEMBERS[key] as readonly string[]).includes(name));
  const isAsked = others.length < Object.keys(filter).length || termsOf(query, key).length > 0;
  const rest = { q: print(termsOf(query, key).reduce(withoutTerm, query)), filter: Object.fromEntries(others) };
  return { isAsked, rest };
}

/** The values of a key that a query names as they are, in the form that findings keep. */
const appliedOf = (query: Query, key: FacetKey): string[] =>
  termsOf(query, key)
    .filter(({ isNot }) => !isNot)
    .flatMap(({ values }) => values.flatMap((value) => (value.kind === 'exact' ? [value.value] : [])));

/** Ranks are how findings keep what the grammar has names for. */
const RANKS: Partial<Record<FacetKey, readonly string[]>> = { severity: SEVERITIES, confidence: CONFIDENCES };

const keptOf = (key: FacetKey, name: string) => {
  const rank = RANKS[key]?.indexOf(name) ?? -1;
  return rank >= 0 ? String(rank) : name;
};
const nameOf = (key: FacetKey, kept: string) => RANKS[key]?.[Number(kept)] ?? kept;

function labelOf(key: FacetKey, name: string): string {
  const { words }: KeyRow = KEYS[key];
  const word = words.find(({ stored }) => stored === name)?.word;
  return word === undefined ? name : `${word.charAt(0).toUpperCase()}${word.slice(1).replaceAll('-', ' ')}`;
}

type Value = z.output<typeof getIssueFacets.reply>['facets'][number]['values'][number];

function valuesOf(key: FacetKey, counted: readonly store.Counted[], applied: readonly string[]): Value[] {
  const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
  const shown = counted.map(({ value, count, label }) => ({ name: nameOf(key, value), count, label }));
  const missing = applied
    .filter((name) => !shown.some((one) => isSame(one.name, name)))
    .map((name) => ({ name, count: 0, label: undefined }));
  return [...shown, ...missing].map(({ name, count, label }) => ({
    value: valueText(key, { kind: 'exact', value: name }),
    label: label ?? labelOf(key, name),
    count,
    isApplied: applied.some((one) => isSame(one, name)),
  }));
}

/** The facets of a question: keys that it says nothing about are counted together, each of the others by itself. */
export async function facetsOf(
  tx: Tx,
  asking: Asking,
  { q = '', filter, keys = FACET_KEYS }: Question & { keys?: readonly FacetKey[] | undefined },
  lookAt: LookAt = lookAtIssues,
): Promise<z.output<typeof getIssueFacets.reply>> {
  // Refuses what is not understood.
  filterOf({ filter, q }, asking.now);
  const { query } = parse(q);
  const applied = new Map(keys.map((key) => [key, appliedOf(query, key)]));
  const namesOf = (key: FacetKey) => (applied.get(key) ?? []).map((name) => keptOf(key, name));
  // The words of `is` are counted by themselves, because one of them looks at what is shown only when asked for.
  const isAlone = (key: FacetKey) => key === 'is' || without(key, { query, filter }).isAsked;
  const together = new Map([...applied.keys()].filter((key) => !isAlone(key)).map((key) => [key, namesOf(key)]));
  const looked = await lookAt(tx, asking, { q, filter, keys: together });
  const facets = { ...looked.facets };
  for (const key of [...applied.keys()].filter(isAlone)) {
    const { rest } = without(key, { query, filter });
    const own = await lookAt(tx, asking, { ...rest, keys: new Map([[key, namesOf(key)]]) });
    facets[key] = own.facets[key] ?? [];
  }
  return {
    total: looked.total,
    totalIsExact: looked.isExact,
    facets: [...applied].map(([key, names]) => ({ key, values: valuesOf(key, facets[key] ?? [], names) })),
  };
}
