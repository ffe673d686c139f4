import { z } from 'zod';

/** Rows of a single id, count or EXISTS, as PostgreSQL returns them. */
export const IdRow = z.object({ id: z.string() });
export const ExistsRow = z.object({ is_any: z.boolean() });
export const CountRow = z.object({ count: z.coerce.number() });
