import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { termsOf, withoutTerm } from '#domain/query/edit.ts';
import { KEYS, type Key } from '#domain/query/keys.ts';
import { parse } from '#domain/query/parse.ts';
import { print } from '#domain/query/print.ts';
import { filterHelp, issues } from '#web/api/services.ts';
import { useOrg } from '#web/org/org.ts';
import { type Counted, completionOf, type Draft, type Offer, offersFor } from './offers.ts';

const PAUSE_MS = 120;
const LONGEST_CURSOR = 4000;

/** Keys whose values come from the facets, because only these know how many findings each has. */
const FACETED = ['is', 'severity', 'type', 'tag', 'cwe', 'confidence'] as const;
type Faceted = (typeof FACETED)[number];
const facetOf = (key: Key | undefined): Faceted | undefined => FACETED.find((name) => name === key);

function useSettled<Value>(value: Value, key: string): Value {
  const [settled, setSettled] = useState(value);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the value.
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [key]);
  return settled;
}

/** What the other terms of the draft leave: alternatives to a value are those without it. */
function restOf(text: string, key: Key): string {
  const { query } = parse(text);
  return print(termsOf(query, key).reduce(withoutTerm, query));
}

/** What can stand at the cursor: words at once, names and numbers as soon as the server says them. */
export function useOffers(draft: Draft, isOpen: boolean): Offer[] {
  const { id: deploymentId } = useOrg();
  const completion = completionOf(draft);
  const settled = useSettled(draft, `${draft.cursor} ${draft.text}`);
  const asked = completionOf(settled);
  const key = asked.kind === 'value' ? asked.key : undefined;
  const faceted = facetOf(key);
  const names = useQuery({
    queryKey: [deploymentId, 'filter-help', settled.text, settled.cursor],
    enabled: isOpen && key !== undefined && faceted === undefined && settled.cursor <= LONGEST_CURSOR,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<{ key: string; offers: Counted[] }> => {
      const query = { q: settled.text, cursorAt: settled.cursor };
      return (await filterHelp.helpWithFilter({ path: { deployment: deploymentId }, query }, { signal })).completion;
    },
  });
  const rest = key === undefined ? '' : restOf(settled.text, key);
  const facets = useQuery({
    queryKey: [deploymentId, 'filter-help', 'facet', key, rest],
    enabled: isOpen && faceted !== undefined,
    queryFn: async ({ signal }): Promise<Counted[]> => {
      const body = { includeWorkflows: true, q: rest, keys: faceted === undefined ? [] : [faceted] };
      const { facets: found } = await issues.getIssueFacets({ path: { deploymentId }, body }, { signal });
      return (found[0]?.values ?? []).map(({ value, count }) => ({ value, count: Number(count) }));
    },
  });
  if (completion.kind !== 'value') return offersFor(completion, []);
  if (completion.key !== key) return offersFor(completion, []);
  if (faceted === undefined) return offersFor(completion, names.data?.key === key ? names.data.offers : []);
  const found = facets.data;
  const isClosed = KEYS[completion.key].kind === 'enum';
  const counts = found && new Map(found.flatMap(({ value, count = 0 }) => (count > 0 ? [[value, count]] : [])));
  return isClosed ? offersFor(completion, [], counts) : offersFor(completion, found ?? []);
}
