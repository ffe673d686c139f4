import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { termsForKey, withoutTerm } from '#domain/query/edit-query.ts';
import { formatQuery } from '#domain/query/format-query.ts';
import { parseFilter } from '#domain/query/parse-filter.ts';
import { FILTER_KEYS, type FilterKey } from '#domain/query/vocabulary/keys.ts';
import { filterHelp, issues } from '#web/foundation/api/services.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import {
  type CountedValue,
  completionAtCursor,
  type FilterDraft,
  type FilterSuggestion,
  suggestionsFor,
} from './suggestions.ts';

const PAUSE_MS = 120;
const LONGEST_CURSOR = 4000;

/** Keys whose values come from the facets, because only these know how many findings each has. */
const FACETED = ['is', 'severity', 'type', 'tag', 'cwe', 'confidence'] as const;
type Faceted = (typeof FACETED)[number];
const facetOf = (key: FilterKey | undefined): Faceted | undefined => FACETED.find((name) => name === key);

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
function restOf(text: string, key: FilterKey): string {
  const { query } = parseFilter(text);
  return formatQuery(termsForKey(query, key).reduce(withoutTerm, query));
}

/** What can stand at the cursor: words at once, names and numbers as soon as the server says them. */
export function useSuggestions(draft: FilterDraft, isOpen: boolean): FilterSuggestion[] {
  const { id: deploymentId } = useOrg();
  const completion = completionAtCursor(draft);
  const settled = useSettled(draft, `${draft.cursor} ${draft.text}`);
  const asked = completionAtCursor(settled);
  const key = asked.kind === 'value' ? asked.key : undefined;
  const faceted = facetOf(key);
  const names = useQuery({
    queryKey: [deploymentId, 'filter-help', settled.text, settled.cursor],
    enabled: isOpen && key !== undefined && faceted === undefined && settled.cursor <= LONGEST_CURSOR,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<{ key: string; offers: CountedValue[] }> => {
      const query = { q: settled.text, cursorAt: settled.cursor };
      return (await filterHelp.helpWithFilter({ path: { deployment: deploymentId }, query }, { signal })).completion;
    },
  });
  const rest = key === undefined ? '' : restOf(settled.text, key);
  const facets = useQuery({
    queryKey: [deploymentId, 'filter-help', 'facet', key, rest],
    enabled: isOpen && faceted !== undefined,
    queryFn: async ({ signal }): Promise<CountedValue[]> => {
      const body = { includeWorkflows: true, q: rest, keys: faceted === undefined ? [] : [faceted] };
      const { facets: found } = await issues.getIssueFacets({ path: { deploymentId }, body }, { signal });
      return (found[0]?.values ?? []).map(({ value, count }) => ({ value, count: Number(count) }));
    },
  });
  if (completion.kind !== 'value') return suggestionsFor(completion, []);
  if (completion.key !== key) return suggestionsFor(completion, []);
  if (faceted === undefined) return suggestionsFor(completion, names.data?.key === key ? names.data.offers : []);
  const found = facets.data;
  const isClosed = FILTER_KEYS[completion.key].kind === 'enum';
  const counts = found && new Map(found.flatMap(({ value, count = 0 }) => (count > 0 ? [[value, count]] : [])));
  return isClosed ? suggestionsFor(completion, [], counts) : suggestionsFor(completion, found ?? []);
}
