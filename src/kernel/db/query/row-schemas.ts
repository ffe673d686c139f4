import { z } from 'zod';

/** Schemas for rows that many statements return. */
export const RowId = z.object({ id: z.string() });
export const RowCount = z.object({ count: z.coerce.number() });
export const RowExists = z.object({ is_any: z.boolean() });

/** The id from a statement that always returns a row, such as an insert. */
export function returnedId(row: z.output<typeof RowId> | undefined): string {
  if (!row) throw new Error('The statement returned no row.');
  return row.id;
}
