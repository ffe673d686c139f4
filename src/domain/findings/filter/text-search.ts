import { z } from 'zod';
import { type Sql, sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { FindingCriteria, FindingFilter } from './finding-filter.ts';
import { anyOf, containsPattern, exactMatches } from './text-match.ts';

/** Above these numbers, searching the findings themselves is as fast. */
const MAX_RULES = 200;
const MAX_PATHS = 2000;

const isLike = (columns: readonly Sql[], patterns: readonly string[]) =>
  anyOf(columns.map((column) => sql`${column} ilike any(${patterns}::text[])`));

const MatchingRule = z.object({ rule: z.string(), are_all_matching: z.boolean() });
const MatchingPath = z.object({ project_id: z.string(), path: z.string() });

/** The rules with matching texts, and whether all of the rule's texts match. */
const findRules = (tx: Tx, patterns: readonly string[]) => {
  const isMatch = isLike([sql`title`, sql`message`, sql`rule`], patterns);
  return tx.all(MatchingRule)`
    select rule, bool_and(${isMatch}) as are_all_matching from finding_text
    where deployment_id = (select current_deployment()) group by rule having bool_or(${isMatch})
    limit ${MAX_RULES + 1}::int`;
};

const findPaths = (tx: Tx, patterns: readonly string[]) => tx.all(MatchingPath)`
  select project_id, path from finding_path
  where deployment_id = (select current_deployment()) and ${isLike([sql`path`], patterns)}
  limit ${MAX_PATHS + 1}::int`;

/** Resolved searches of a request: the counts beside a list use the same text again. */
const searchesByTransaction = new WeakMap<Tx, Map<string, Promise<FindingCriteria | undefined>>>();

function findOnce(tx: Tx, text: readonly string[]): Promise<FindingCriteria | undefined> {
  const searches = searchesByTransaction.get(tx) ?? new Map<string, Promise<FindingCriteria | undefined>>();
  searchesByTransaction.set(tx, searches);
  const key = JSON.stringify(text);
  const found = searches.get(key) ?? findMatches(tx, text);
  searches.set(key, found);
  return found;
}

/** The rules and paths that contain a text; undefined if there are too many. */
async function findMatches(tx: Tx, text: readonly string[]): Promise<FindingCriteria | undefined> {
  const patterns = text.map(containsPattern);
  const rules = await findRules(tx, patterns);
  if (rules.length > MAX_RULES) return undefined;
  const places = await findPaths(tx, patterns);
  if (places.length > MAX_PATHS) return undefined;
  if (rules.length === 0 && places.length === 0) return { isImpossible: true };
  const names = rules.map(({ rule }) => rule);
  if (places.length === 0 && rules.every(({ are_all_matching: areAllMatching }) => areAllMatching))
    return { rules: exactMatches(names) };
  return { textMatches: { text, rules: names, places } };
}

/** The same filter with its free-text criteria replaced by the rules and paths that contain the text. */
export async function resolveTextSearch(tx: Tx, filter: FindingFilter): Promise<FindingFilter> {
  const { text, and = [], ...rest } = filter;
  if (text === undefined && and.every((criteria) => criteria.text === undefined)) return filter;
  const found: FindingCriteria[] = [];
  for (const { text: words, ...others } of [{ text }, ...and] as FindingCriteria[]) {
    if (Object.keys(others).length > 0) found.push(others);
    if (words !== undefined) found.push((await findOnce(tx, words)) ?? { text: words });
  }
  return { ...rest, and: found };
}

/** A condition on `finding`: its texts or its path contain one of the search texts. */
export function matchesTextSearch({ text, rules, places }: NonNullable<FindingCriteria['textMatches']>): Sql {
  const patterns = text.map(containsPattern);
  const projects = [...new Set(places.map(({ project_id: project }) => project))];
  const paths = [...new Set(places.map(({ path }) => path))];
  return sql`((finding.rule = any(${rules}::text[])
      and ${isLike([sql`finding.title`, sql`finding.message`, sql`finding.rule`], patterns)})
    or (finding.project_id = any(${projects}::bigint[]) and finding.path = any(${paths}::text[])))`;
}
