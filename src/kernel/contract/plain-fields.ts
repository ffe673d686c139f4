import { z } from 'zod';
import { fieldKinds, isInt64 } from './field-kinds.ts';
import type { Id } from './proto-fields.ts';

/** The field words of the plain dialect, spoken by the older part of v1: ids are JSON numbers, nulls are present. */

/** A request may have it as text too, which the type leaves out because replies never do. */
const int64Number = () =>
  z.custom<number>((value) => (typeof value === 'string' ? isInt64(value) : Number.isSafeInteger(value)), {
    error: 'expected a 64-bit integer',
  });

/** A number on the wire, the same branded text inside; requests are exact beyond 2^53, where numbers would lie. */
export function id<Noun extends string>(name: Noun) {
  return z
    .codec(
      int64Number(),
      z.custom<Id<Noun>>((value) => typeof value === 'string'),
      { decode: (number) => String(number) as Id<Noun>, encode: Number },
    )
    .register(fieldKinds, { kind: 'plain_id', noun: name });
}

/** A moment with microseconds, as v1 shows it: the last three digits are beyond what we keep. */
export function timestamp() {
  return z
    .codec(z.iso.datetime({ offset: true }), z.date(), {
      decode: (text) => new Date(text),
      encode: (date) => date.toISOString().replace('Z', '000Z'),
    })
    .register(fieldKinds, { kind: 'timestamp' });
}

/** A moment in a query: seconds since 1970, with a fraction. */
export function epochSeconds() {
  return z.codec(z.number().min(0).max(32_503_680_000), z.date(), {
    decode: (seconds) => new Date(seconds * 1000),
    encode: (date) => date.getTime() / 1000,
  });
}

/** Present even when there is nothing: v1 shows null where v2 leaves a member out. */
export const nullable = <Schema extends z.ZodType>(schema: Schema) => z.nullable(schema);

/** The page of the offset style, counted from 0. */
export function page() {
  return z.int().min(0).max(1_000_000).default(0).register(fieldKinds, { kind: 'page' });
}

/** How many records a page of the offset or the mixed style may have. */
export function pageSize({ fallback, min, max }: { fallback: number; min: number; max: number }) {
  return z.int().min(min).max(max).default(fallback).register(fieldKinds, { kind: 'page_size' });
}
