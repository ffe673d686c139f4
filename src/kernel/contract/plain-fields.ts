import { z } from 'zod';
import { fieldKinds, isInt64 } from './field-kinds.ts';
import type { Id } from './proto-fields.ts';

/**
 * Field types of the plain dialect, used by the older part of v1: ids are JSON numbers, and null members are present.
 */

/** Requests may send text as well; the type omits it because replies never do. */
const int64Number = () =>
  z.custom<number>((value) => (typeof value === 'string' ? isInt64(value) : Number.isSafeInteger(value)), {
    error: 'expected a 64-bit integer',
  });

/** A number on the wire, a branded string inside; ids in requests stay exact beyond 2^53. */
export function id<Noun extends string>(name: Noun) {
  return z
    .codec(
      int64Number(),
      z.custom<Id<Noun>>((value) => typeof value === 'string'),
      { decode: (number) => String(number) as Id<Noun>, encode: Number },
    )
    .register(fieldKinds, { kind: 'plain_id', noun: name });
}

/** A timestamp with six fraction digits, as v1 has it; the last three are always zero. */
export function timestamp() {
  return z
    .codec(z.iso.datetime({ offset: true }), z.date(), {
      decode: (text) => new Date(text),
      encode: (date) => date.toISOString().replace('Z', '000Z'),
    })
    .register(fieldKinds, { kind: 'timestamp' });
}

/** A timestamp in a query: seconds since 1970, with a fraction. */
export function epochSeconds() {
  return z.codec(z.number().min(0).max(32_503_680_000), z.date(), {
    decode: (seconds) => new Date(seconds * 1000),
    encode: (date) => date.getTime() / 1000,
  });
}

/** A member that is null when it has no value; v2 omits such members. */
export const nullable = <Schema extends z.ZodType>(schema: Schema) => z.nullable(schema);

/** The page number of the offset style, counted from 0. */
export function page() {
  return z.int().min(0).max(1_000_000).default(0).register(fieldKinds, { kind: 'page' });
}

/** The page size of the offset and the mixed style. */
export function pageSize({ fallback, min, max }: { fallback: number; min: number; max: number }) {
  return z.int().min(min).max(max).default(fallback).register(fieldKinds, { kind: 'page_size' });
}
