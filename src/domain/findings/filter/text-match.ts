import { join, type Sql, sql } from '#kernel/db/query/sql.ts';

/** An exact text, or the parts between `*` wildcards. */
export type TextMatch =
  | { readonly kind: 'exact'; readonly value: string }
  | { readonly kind: 'glob'; readonly parts: readonly string[] };

export const exactMatches = (values: readonly string[]): TextMatch[] =>
  values.map((value) => ({ kind: 'exact', value }));

const escapeLike = (text: string) => text.replace(/[\\%_]/g, '\\$&');

/** The LIKE pattern of a substring. */
export const containsPattern = (text: string): string => `%${escapeLike(text)}%`;

const patternOf = (parts: readonly string[]) => parts.map(escapeLike).join('%');

export const anyOf = (conditions: readonly Sql[]): Sql =>
  conditions.length === 0 ? sql`false` : sql`(${join(conditions, sql` or `)})`;

/** True if a column matches text of the texts; exact ones are a single comparison, which an index can serve. */
export function matches(column: Sql, texts: readonly TextMatch[]): Sql {
  const exact = texts.flatMap((text) => (text.kind === 'exact' ? [text.value] : []));
  const globs = texts.flatMap((text) => (text.kind === 'glob' ? [patternOf(text.parts)] : []));
  return anyOf([
    ...(exact.length > 0 ? [sql`${column} = any(${exact}::text[])`] : []),
    ...(globs.length > 0 ? [sql`${column} like any(${globs}::text[])`] : []),
  ]);
}

const toLowerCase = (text: TextMatch): TextMatch =>
  text.kind === 'exact'
    ? { kind: 'exact', value: text.value.toLowerCase() }
    : { kind: 'glob', parts: text.parts.map((part) => part.toLowerCase()) };

/** The same, ignoring case. */
export const matchesIgnoringCase = (column: Sql, texts: readonly TextMatch[]): Sql =>
  matches(sql`lower(${column})`, texts.map(toLowerCase));
