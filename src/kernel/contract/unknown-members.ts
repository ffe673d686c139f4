import type { z } from 'zod';
import { type FieldError, quoteBriefly } from './fault.ts';
import { camelOf, spellingsOf } from './normalise.ts';
import { suggestSpellings } from './spelling-suggestions.ts';

/** A part of a pointer may be sent by the caller, who chooses its length. */
export const escapePointer = (part: PropertyKey): string =>
  quoteBriefly(part).replaceAll('~', '~0').replaceAll('/', '~1');

/** The error for a member that the contract does not have, with the name that was probably meant. */
export function unknownMemberError(pointer: string, name: string, known: readonly string[]): FieldError {
  const candidates = known.map((one): [string, string] => [one.toLowerCase(), one]);
  const [meant] = suggestSpellings(camelOf(name), candidates);
  const advice = meant === undefined ? '' : `; did you mean ${meant}?`;
  return { pointer: `${pointer}/${escapePointer(name)}`, code: 'UNKNOWN_MEMBER', detail: `is not known here${advice}` };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

type Definition = Record<string, unknown> & { type: string };

/** The members of a request that its schema does not have, at any depth. The keys of maps are free. */
export function* unknownMembers(schema: z.core.$ZodType, value: unknown, pointer: string): Generator<FieldError> {
  const { def } = schema._zod as unknown as { def: Definition };
  const inner = def['innerType'] ?? def['in'];
  if (inner !== undefined) yield* unknownMembers(inner as z.core.$ZodType, value, pointer);
  else if (def.type === 'object' && isObject(value)) yield* inObject(def, value, pointer);
  else if (def.type === 'array' && Array.isArray(value))
    for (const [index, item] of value.entries())
      yield* unknownMembers(def['element'] as z.core.$ZodType, item, `${pointer}/${index}`);
  else if (def.type === 'record' && isObject(value))
    for (const [key, item] of Object.entries(value))
      yield* unknownMembers(def['valueType'] as z.core.$ZodType, item, `${pointer}/${escapePointer(key)}`);
}

function* inObject(
  { shape, catchall }: Definition,
  value: Record<string, unknown>,
  pointer: string,
): Generator<FieldError> {
  const fields = Object.entries(shape as Record<string, z.core.$ZodType>);
  const bySpelling = new Map(fields.flatMap(([name, field]) => spellingsOf(name).map((spelling) => [spelling, field])));
  for (const [name, member] of Object.entries(value)) {
    const field = bySpelling.get(name);
    if (field) yield* unknownMembers(field, member, `${pointer}/${name}`);
    else if (catchall === undefined)
      yield unknownMemberError(
        pointer,
        name,
        fields.map(([known]) => known),
      );
  }
}
