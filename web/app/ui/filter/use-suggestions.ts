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

const DEBOUNCE_MS = 120;
const MAX_CURSOR = 4000;

/** Keys whose values come from the facets, which also have the number of findings. */
const FACETED = ['is', 'severity', 'type', 'tag', 'cwe', 'confidence'] as const;
type Faceted = (typeof FACETED)[number];
const facetOf = (key: FilterKey | undefined): Faceted | undefined => FACETED.find((name) => name === key);

function useDebounced<Value>(value: Value, key: string): Value {
  const [debounced, setDebounced] = useState(value);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` identifies the value.
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [key]);
  return debounced;
}

/** The filter without the terms of a key, so that counts show the alternatives to its current values. */
function withoutKey(text: string, key: FilterKey): string {
  const { query } = parseFilter(text);
  return formatQuery(termsForKey(query, key).reduce(withoutTerm, query));
}

/** Suggestions at the cursor: enum values immediately, names and counts when the server has answered. */
export function useSuggestions(draft: FilterDraft, isOpen: boolean): FilterSuggestion[] {
  const { id: deploymentId } = useOrg();
  const completion = completionAtCursor(draft);
  const debounced = useDebounced(draft, `${draft.cursor} ${draft.text}`);
  const debouncedCompletion = completionAtCursor(debounced);
  const key = debouncedCompletion.kind === 'value' ? debouncedCompletion.key : undefined;
  const faceted = facetOf(key);
  const names = useQuery({
    queryKey: [deploymentId, 'filter-help', debounced.text, debounced.cursor],
    enabled: isOpen && key !== undefined && faceted === undefined && debounced.cursor <= MAX_CURSOR,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<{ key: string; offers: CountedValue[] }> => {
      const query = { q: debounced.text, cursorAt: debounced.cursor };
      return (await filterHelp.helpWithFilter({ path: { deployment: deploymentId }, query }, { signal })).completion;
    },
  });
  const filterWithoutKey = key === undefined ? '' : withoutKey(debounced.text, key);
  const facets = useQuery({
    queryKey: [deploymentId, 'filter-help', 'facet', key, filterWithoutKey],
    enabled: isOpen && faceted !== undefined,
    queryFn: async ({ signal }): Promise<CountedValue[]> => {
      const body = { includeWorkflows: true, q: filterWithoutKey, keys: faceted === undefined ? [] : [faceted] };
      const reply = await issues.getIssueFacets({ path: { deploymentId }, body }, { signal });
      return (reply.facets[0]?.values ?? []).map(({ value, count }) => ({ value, count: Number(count) }));
    },
  });
  if (completion.kind !== 'value') return suggestionsFor(completion, []);
  if (completion.key !== key) return suggestionsFor(completion, []);
  if (faceted === undefined) return suggestionsFor(completion, names.data?.key === key ? names.data.offers : []);
  const facetValues = facets.data;
  const isEnum = FILTER_KEYS[completion.key].kind === 'enum';
  const counts =
    facetValues && new Map(facetValues.flatMap(({ value, count = 0 }) => (count > 0 ? [[value, count]] : [])));
  return isEnum ? suggestionsFor(completion, [], counts) : suggestionsFor(completion, facetValues ?? []);
}
