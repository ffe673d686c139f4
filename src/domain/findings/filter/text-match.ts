import { join, type Sql, sql } from '#kernel/db/query/sql.ts';

/** A text as it is, or what stands between stars that are any characters. */
export type TextMatch =
  | { readonly kind: 'exact'; readonly value: string }
  | { readonly kind: 'glob'; readonly parts: readonly string[] };

export const exactMatches = (values: readonly string[]): TextMatch[] =>
  values.map((value) => ({ kind: 'exact', value }));

const escaped = (text: string) => text.replace(/[\\%_]/g, '\\$&');

/** The pattern of LIKE for text anywhere in another. */
export const containsPattern = (text: string): string => `%${escaped(text)}%`;

const patternOf = (parts: readonly string[]) => parts.map(escaped).join('%');

export const anyOf = (conditions: readonly Sql[]): Sql =>
  conditions.length === 0 ? sql`false` : sql`(${join(conditions, sql` or `)})`;

/** A condition that a text is one of those; exact ones are one comparison, so that an index can serve it. */
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

/** The same, whatever the case. */
export const matchesIgnoringCase = (column: Sql, wanted: readonly TextMatch[]): Sql =>
  matches(sql`lower(${column})`, wanted.map(lower));
