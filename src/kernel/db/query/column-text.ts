import { type Sql, sql } from './sql.ts';

/**
 * A column of many rows as one text, in their order: for values that are never null and have no comma in them, such as
 * ids and counts. One text costs PostgreSQL and the driver far less than as many rows.
 */
export const columnText = (value: Sql): Sql => sql`array_to_string(array_agg(${value}), ',')`;

/** The values of such a text; of no rows there is none. */
export const parseColumn = (text: unknown): string[] => (typeof text === 'string' ? text.split(',') : []);

/** Two columns as a look-up from the first to the second. */
export function parseLookup(keys: unknown, values: unknown): Map<string, string> {
  const others = parseColumn(values);
  const found = new Map<string, string>();
  parseColumn(keys).forEach((key, at) => {
    found.set(key, others[at] ?? '');
  });
  return found;
}
