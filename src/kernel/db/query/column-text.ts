import { type Sql, sql } from './sql.ts';

/**
 * Aggregates a column of many rows into one text, in order: for values that are never null and contain no comma, such
 * as ids and counts. PostgreSQL and the driver handle one text much faster than many rows.
 */
export const columnText = (value: Sql): Sql => sql`array_to_string(array_agg(${value}), ',')`;

/** The values of such a text; empty when there were no rows. */
export const parseColumn = (text: unknown): string[] => (typeof text === 'string' ? text.split(',') : []);

/** Two columns as a map from the first to the second. */
export function parseLookup(keys: unknown, values: unknown): Map<string, string> {
  const parsed = parseColumn(values);
  return new Map(parseColumn(keys).map((key, index) => [key, parsed[index] ?? '']));
}
