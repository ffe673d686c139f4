import { join, type Sql, sql } from '#kernel/db/query/sql.ts';

/** An exact text, or the parts between `*` wildcards. */
export type TextMatch =
  | { readonly kind: 'exact'; readonly value: string }
  | { readonly kind: 'glob'; readonly parts: readonly string[] };

export const exactMatches = (values: readonly string[]): TextMatch[] =>
  values.map((value) => ({ kind: 'exact', value }));

const escaped = (text: string) => text.replace(/[\\%_]/g, '\\$&');

/** The LIKE pattern of a substring. */
export const containsPattern = (text: string): string => `%${escaped(text)}%`;

const patternOf = (parts: readonly string[]) => parts.map(escaped).join('%');

export const anyOf = (conditions: readonly Sql[]): Sql =>
  conditions.length === 0 ? sql`false` : sql`(${join(conditions, sql` or `)})`;

/** True if a column matches one of the texts; exact ones are a single comparison, which an index can serve. */
export function matches(column: Sql, wanted: readonly TextMatch[]): Sql {
  const exact = wanted.flatMap((one) => (one.kind === 'exact' ? [one.value] : []));
  const globs = wanted.flatMap((one) => (one.kind === 'glob' ? [patternOf(one.parts)] : []));
  return anyOf([
    ...(exact.length > 0 ? [sql`${column} = any(${exact}::text[])`] : []),
    ...(globs.length > 0 ? [sql`${column} like any(${globs}::text[])`] : []),
  ]);
}

const lower = (one: TextMatch): TextMatch =>
  one.kind === 'exact'
    ? { kind: 'exact', value: one.value.toLowerCase() }
    : { kind: 'glob', parts: one.parts.map((part) => part.toLowerCase()) };

/** The same, ignoring case. */
export const matchesIgnoringCase = (column: Sql, wanted: readonly TextMatch[]): Sql =>
  matches(sql`lower(${column})`, wanted.map(lower));
