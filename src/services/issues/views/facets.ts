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
/** Counts the values of filter keys over all matches of a query. */
export type FacetCounter = (
  tx: Tx,
  context: CallerContext,
  query: FacetQuery & { keys: Keys },
) => Promise<store.FacetCounts>;

export const countIssueFacets: FacetCounter = (tx, context, { keys, ...query }) =>
  store.countFacets(tx, context, { filter: findingFilterOf(query, context.now), keys });

/** The request members that correspond to each filter key. */
const MEMBERS: Record<FacetKey, readonly (keyof IssueFilter)[]> = {
  is: ['tab', 'status', 'aggregateIssueStates'],
  severity: ['severities'],
  type: ['filterIssueTypes'],
  project: ['repositoryNames', 'repositoryIds'],
  rule: ['rules', 'ruleIds'],
  tag: ['repositoryTags'],
  cwe: [],
  confidence: ['confidences'],
  assignee: [],
};

/** The query without its conditions on one key. */
function without(key: FacetKey, { query, filter = {} }: { query: Query; filter?: IssueFilter | undefined }) {
  const others = Object.entries(filter).filter(([name]) => !(MEMBERS[key] as readonly string[]).includes(name));
  const hasCondition = others.length < Object.keys(filter).length || termsForKey(query, key).length > 0;
  const rest = {
    q: formatQuery(termsForKey(query, key).reduce(withoutTerm, query)),
    filter: Object.fromEntries(others),
  };
  return { hasCondition, rest };
}

/** The exact values of a key that a query includes. */
const appliedOf = (query: Query, key: FacetKey): string[] =>
  termsForKey(query, key)
    .filter(({ isNot }) => !isNot)
    .flatMap(({ values }) => values.flatMap((value) => (value.kind === 'exact' ? [value.value] : [])));

/** Findings store severity and confidence as ranks, the index of their name. */
const RANKS: Partial<Record<FacetKey, readonly string[]>> = { severity: SEVERITIES, confidence: CONFIDENCES };

const storedValue = (key: FacetKey, name: string) => {
  const rank = RANKS[key]?.indexOf(name) ?? -1;
  return rank >= 0 ? String(rank) : name;
};
const nameOf = (key: FacetKey, stored: string) => RANKS[key]?.[Number(stored)] ?? stored;

function labelOf(key: FacetKey, name: string): string {
  const { values }: FilterKeyDefinition = FILTER_KEYS[key];
  const word = values.find(({ stored }) => stored === name)?.name;
  return word === undefined ? name : `${word.charAt(0).toUpperCase()}${word.slice(1).replaceAll('-', ' ')}`;
}

type Value = z.output<typeof getIssueFacets.reply>['facets'][number]['values'][number];

function valuesOf(key: FacetKey, counted: readonly store.FacetValueCount[], applied: readonly string[]): Value[] {
  const isSame = (left: string, right: string) => left.toLowerCase() === right.toLowerCase();
  const shown = counted.map(({ value, count, label }) => ({ name: nameOf(key, value), count, label }));
  const missing = applied
    .filter((name) => !shown.some((entry) => isSame(entry.name, name)))
    .map((name) => ({ name, count: 0, label: undefined }));
  return [...shown, ...missing].map(({ name, count, label }) => ({
    value: formatValue(key, { kind: 'exact', value: name }),
    label: label ?? labelOf(key, name),
    count,
    isApplied: applied.some((value) => isSame(value, name)),
  }));
}

/** The facets of a query. Keys without a condition are counted in one statement, each other key in its own. */
export async function listFacets(
  tx: Tx,
  context: CallerContext,
  { q = '', filter, keys = FACET_KEYS }: FacetQuery & { keys?: readonly FacetKey[] | undefined },
  count: FacetCounter = countIssueFacets,
): Promise<z.output<typeof getIssueFacets.reply>> {
  // Throws if the query is invalid.
  findingFilterOf({ filter, q }, context.now);
  const { query } = parseFilter(q);
  const applied = new Map(keys.map((key) => [key, appliedOf(query, key)]));
  const storedValues = (key: FacetKey) => (applied.get(key) ?? []).map((name) => storedValue(key, name));
  // `is` needs its own statement, because its values include removed findings, which other facets leave out.
  const isSeparate = (key: FacetKey) =>
    key === 'is' || key === 'assignee' || without(key, { query, filter }).hasCondition;
  const together = new Map(
    [...applied.keys()].filter((key) => !isSeparate(key)).map((key) => [key, storedValues(key)]),
  );
  const counted = await count(tx, context, { q, filter, keys: together });
  const facets = { ...counted.facets };
  for (const key of [...applied.keys()].filter(isSeparate)) {
    const { rest } = without(key, { query, filter });
    const separate = await count(tx, context, { ...rest, keys: new Map([[key, storedValues(key)]]) });
    facets[key] = separate.facets[key] ?? [];
  }
  return {
    total: counted.total,
    totalIsExact: counted.isExact,
    facets: [...applied].map(([key, names]) => ({ key, values: valuesOf(key, facets[key] ?? [], names) })),
  };
}
