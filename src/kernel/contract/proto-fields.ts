import { z } from 'zod';
import { fieldKinds, isInt64 } from './field-kinds.ts';

/** Field types of the proto dialect: int64 is a string on the wire, and every member is emitted. */

declare const noun: unique symbol;

/** The id of one kind of object: a decimal string, exact beyond 2^53, and branded by its kind. */
export type Id<Noun extends string> = string & { readonly [noun]: Noun };

const int64Text = () => z.string().refine(isInt64, { error: 'expected a 64-bit integer' });

export function id<Noun extends string>(name: Noun) {
  return int64Text()
    .pipe(z.custom<Id<Noun>>((value) => typeof value === 'string'))
    .register(fieldKinds, { kind: 'int64', noun: name });
}

/** An integer small enough for arithmetic: a string on the wire, a number inside. */
export function count() {
  return z
    .codec(int64Text(), z.int(), { decode: Number, encode: String })
    .register(fieldKinds, { kind: 'int64', max: Number.MAX_SAFE_INTEGER });
}

/** A 64-bit integer: a string on the wire, a bigint inside. */
export function int64() {
  return z.codec(int64Text(), z.bigint(), { decode: BigInt, encode: String }).register(fieldKinds, { kind: 'int64' });
}

/** The same field, described as a JSON number: in the reference contract some fields are, and requests accept both. */
export function asNumber<Schema extends z.ZodType>(schema: Schema): Schema {
  const kind = fieldKinds.get(schema);
  if (kind) fieldKinds.add(schema, { ...kind, isNumber: true });
  return schema;
}

const RFC3339 = /^((?:19[7-9]\d|2\d{3})-\d\d-\d\d)T(?:[01]\d|2[0-3]):\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;

function isTime(text: string): boolean {
  const [, day = ''] = RFC3339.exec(text) ?? [];
  if (Number.isNaN(Date.parse(day)) || Number.isNaN(Date.parse(text))) return false;
  // Date would silently turn the 31st of a short month into the 1st of the next.
  return new Date(day).toISOString().startsWith(day);
}

/** A timestamp: RFC 3339 on the wire, a Date inside; rendered in UTC with milliseconds. */
export function timestamp() {
  return z
    .codec(z.string().refine(isTime, { error: 'expected an RFC 3339 time between 1970 and 2999' }), z.date(), {
      decode: (text) => new Date(text),
      encode: (date) => date.toISOString(),
    })
    .register(fieldKinds, { kind: 'timestamp' });
}

export const DEFAULT_LIMIT = 100;
export const MAX_LIMIT = 1000;

/** The largest number of items in a page. */
export function limit(max = MAX_LIMIT, fallback = DEFAULT_LIMIT) {
  return z
    .codec(
      int64Text().refine((text) => Number(text) >= 1, { error: 'expected at least 1' }),
      z.int(),
      { decode: (text) => Math.min(Number(text), max), encode: String },
    )
    .default(fallback)
    .register(fieldKinds, { kind: 'limit', max, fallback });
}

/** The cursor of a page: empty for the first page, and in a reply after the last one. */
export function cursor() {
  return z.string().max(4096).default('').register(fieldKinds, { kind: 'cursor' });
}

/** An enum; `…_UNSPECIFIED` in a request means that none was given. */
export function oneOf<const Names extends readonly [string, ...string[]]>(names: Names) {
  return z.enum(names);
}

const hasControl = (text: string) => /\p{Cc}/u.test(text);

/** A display name: one line, trimmed by the caller, measured in code points; `noun` names the kind of object. */
export function name(max = 128, noun?: string) {
  return z
    .string()
    .refine((text) => text.trim().length > 0, { error: 'must not be empty' })
    .refine((text) => [...text].length <= max, { error: `must have at most ${max} characters` })
    .refine((text) => !hasControl(text), { error: 'must not contain control characters' })
    .register(fieldKinds, { kind: 'name', max, ...(noun === undefined ? {} : { noun }) });
}

/** One line of text without control characters. */
export function line(max: number, min = 0) {
  return z
    .string()
    .min(min)
    .max(max)
    .refine((text) => !hasControl(text), { error: 'must not contain control characters' });
}

/** A member of replies: a request may send it back, and it is ignored. */
export function readOnly<Schema extends z.ZodType>(schema: Schema) {
  return schema.optional().meta({ readOnly: true });
}

/** A deployment in a path, by id or slug. The pipeline replaces it with the id before the handler runs. */
export function deployment() {
  return z
    .string()
    .max(64)
    .pipe(z.custom<Id<'Deployment'>>((value) => typeof value === 'string'))
    .register(fieldKinds, { kind: 'deployment' });
}

/** An object in a path that is named by its slug instead of an id. */
export function slug(noun: string) {
  return z
    .string()
    .regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, { error: 'expected a slug of 1 to 64 characters a-z, 0-9, - or _' })
    .register(fieldKinds, { kind: 'slug', noun });
}
