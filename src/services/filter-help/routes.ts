import type { CallerContext } from '#domain/findings/filter/finding-filter.ts';
import { filterOfQuery } from '#domain/findings/filter/query-filter.ts';
import type { FilterProblemCode, Query } from '#domain/query/ast.ts';
import { completionAt } from '#domain/query/completion.ts';
import { dropTerm, termsForKey, withoutTerm } from '#domain/query/edit-query.ts';
import { formatQuery } from '#domain/query/format-query.ts';
import { parseFilter } from '#domain/query/parse-filter.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { group } from '#kernel/http/pipeline/group.ts';
import * as contract from './contract.ts';
import * as store from './store.ts';

const MAX_DROPPED_TERMS = 10;

/** The offers at the cursor: values of the grammar, and names from findings that match the other terms. */
async function offersAt(tx: Tx, asking: CallerContext, { q, query, at }: { q: string; query: Query; at: number }) {
  const found = completionAt(q, at);
  const { kind, start, end } = found;
  const words = found.offers.map((value) => ({ value }));
  if (found.kind !== 'value') return { kind, key: '', start, end, offers: words };
  const { key, prefix } = found;
  const others = termsForKey(query, key).reduce(withoutTerm, query);
  const names = await store.suggestValues(tx, asking, { key, prefix, filter: filterOfQuery(others, asking.now) });
  return { kind, key, start, end, offers: [...words, ...names] };
}

/** The terms whose removal yields matches. */
async function dropsOf(tx: Tx, asking: CallerContext, query: Query) {
  const drops = [];
  for (const term of query.terms.slice(0, MAX_DROPPED_TERMS)) {
    const { label, query: wider } = dropTerm(query, term);
    const matches = await store.countUpTo(tx, asking, filterOfQuery(wider, asking.now));
    if (matches > 0) drops.push({ term: label, q: formatQuery(wider), matches });
  }
  return drops;
}

const LIMIT_CODES: ReadonlySet<FilterProblemCode> = new Set(['TOO_LONG', 'TOO_MANY_TERMS', 'TOO_MANY_VALUES']);

/** FilterHelpService: problems, completions and terms to drop for a filter. */
export const filterHelp = group('FilterHelpService', contract, {
  helpWithFilter: async ({ query: { q, cursorAt }, tx, caller, now }) => {
    const asking = { caller, now };
    const { query: parsed, problems } = parseFilter(q);
    // Every list refuses a filter beyond the limits, so its findings are not counted either.
    const isCounted = !problems.some(({ code }) => LIMIT_CODES.has(code));
    const query = isCounted ? parsed : { terms: [] };
    const matches = isCounted ? await store.countUpTo(tx, asking, filterOfQuery(query, now)) : 0;
    return {
      canonical: formatQuery(parsed),
      problems: problems.map((problem) => ({ ...problem, suggestions: [...problem.suggestions] })),
      completion: await offersAt(tx, asking, { q, query, at: cursorAt ?? q.length }),
      matches,
      drops: matches > 0 ? [] : await dropsOf(tx, asking, query),
    };
  },
});
