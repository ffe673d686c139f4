import type { z } from 'zod';
import type { CallerContext } from '#domain/findings/filter/finding-filter.ts';
import { CONFIDENCES, SEVERITIES } from '#domain/findings/shape.ts';
import type { Query } from '#domain/query/ast.ts';
import { termsForKey, withoutTerm } from '#domain/query/edit-query.ts';
import { formatQuery } from '#domain/query/format-query.ts';
import { formatValue } from '#domain/query/format-term.ts';
import { parseFilter } from '#domain/query/parse-filter.ts';
import { FILTER_KEYS, type FilterKeyDefinition } from '#domain/query/vocabulary/keys.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { findingFilterOf } from '../list/filter-mapping.ts';
import type { IssueFilter } from '../list/filter-shape.ts';
import type { getIssueFacets } from './contract.ts';
import * as store from './facet-counts.ts';
import { FACET_KEYS, type FacetKey } from './shape.ts';

export interface FacetQuery {
  q?: string | undefined;
  filter?: IssueFilter | undefined;
}

type Keys = store.FacetRequest['keys'];
/** Counts the values of some keys over all that a question is about. */
export type FacetCounter = (
  tx: Tx,
  asking: CallerContext,
  wanted: FacetQuery & { keys: Keys },
) => Promise<store.FacetCounts>;

export const countIssueFacets: FacetCounter = (tx, asking, { keys, ...question }) =>
  store.countFacets(tx, asking, { filter: findingFilterOf(question, asking.now), keys });

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
  const isAsked = others.length < Object.keys(filter).length || termsForKey(query, key).length > 0;
  const rest = {
    q: formatQuery(termsForKey(query, key).reduce(withoutTerm, query)),
    filter: Object.fromEntries(others),
  };
  return { isAsked, rest };
}

/** The values of a key that a query names as they are, in the form that findings keep. */
const appliedOf = (query: Query, key: FacetKey): string[] =>
  termsForKey(query, key)
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
  const { values }: FilterKeyDefinition = FILTER_KEYS[key];
  const word = values.find(({ stored }) => stored === name)?.name;
  return word === undefined ? name : `${word.charAt(0).toUpperCase()}${word.slice(1).replaceAll('-', ' ')}`;
}

type Value = z.output<typeof getIssueFacets.reply>['facets'][number]['values'][number];

function valuesOf(key: FacetKey, counted: readonly store.FacetValueCount[], applied: readonly string[]): Value[] {
  const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
  const shown = counted.map(({ value, count, label }) => ({ name: nameOf(key, value), count, label }));
  const missing = applied
    .filter((name) => !shown.some((one) => isSame(one.name, name)))
    .map((name) => ({ name, count: 0, label: undefined }));
  return [...shown, ...missing].map(({ name, count, label }) => ({
    value: formatValue(key, { kind: 'exact', value: name }),
    label: label ?? labelOf(key, name),
    count,
    isApplied: applied.some((one) => isSame(one, name)),
  }));
}

/** The facets of a question: keys that it says nothing about are counted together, each of the others by itself. */
export async function listFacets(
  tx: Tx,
  asking: CallerContext,
  { q = '', filter, keys = FACET_KEYS }: FacetQuery & { keys?: readonly FacetKey[] | undefined },
  lookAt: FacetCounter = countIssueFacets,
): Promise<z.output<typeof getIssueFacets.reply>> {
  // Refuses what is not understood.
  findingFilterOf({ filter, q }, asking.now);
  const { query } = parseFilter(q);
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
