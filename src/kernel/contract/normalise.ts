import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import type { FieldError } from './fault.ts';
import { fieldKinds } from './field-kinds.ts';

/** Converts a request to the spelling of its contract: member names, int64 as text, unspecified enums removed. */
export type Normaliser = (value: unknown, pointer: string, errors: FieldError[]) => unknown;

const compiled = new WeakMap<z.core.$ZodType, Normaliser>();

export function normaliserOf(schema: z.core.$ZodType): Normaliser {
  const cached = compiled.get(schema);
  if (cached) return cached;
  const normaliser = compile(schema);
  compiled.set(schema, normaliser);
  return normaliser;
}

const asIs: Normaliser = (value) => value;

const integerAsText: Normaliser = (value) => {
  if (typeof value === 'bigint') return value.toString();
  return typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
};

/** The zero value of a proto enum means that none was given. */
const withoutUnspecified: Normaliser = (value) =>
  typeof value === 'string' && value.endsWith('_UNSPECIFIED') ? undefined : value;

function compile(schema: z.core.$ZodType): Normaliser {
  const kind = fieldKinds.get(schema)?.kind;
  if (kind === 'int64' || kind === 'limit' || kind === 'plain_id') return integerAsText;
  const { def } = schema._zod as unknown as { def: Record<string, unknown> & { type: string } };
  switch (def.type) {
    case 'object':
      return objectOf(def['shape'] as Record<string, z.core.$ZodType>);
    case 'array':
      return listOf(normaliserOf(def['element'] as z.core.$ZodType), isText(def['element'] as z.core.$ZodType));
    case 'record':
      return mapOf(normaliserOf(def['valueType'] as z.core.$ZodType));
    case 'optional':
    case 'nullable':
    case 'default':
    case 'readonly':
      return normaliserOf(def['innerType'] as z.core.$ZodType);
    case 'pipe':
      return normaliserOf(def['in'] as z.core.$ZodType);
    case 'enum':
      return withoutUnspecified;
    default:
      return asIs;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const snakeOf = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
export const camelOf = (name: string) => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** The spellings under which a request may carry a member. */
export const spellingsOf = (name: string): string[] => [...new Set([name, snakeOf(name), camelOf(name)])];

function objectOf(shape: Record<string, z.core.$ZodType>): Normaliser {
  const fields = Object.entries(shape).map(([name, schema]) => ({
    name,
    spellings: spellingsOf(name),
    normalise: normaliserOf(schema),
  }));
  return (value, pointer, errors) => {
    if (!isObject(value)) return value;
    const result: Record<string, unknown> = {};
    for (const { name, spellings, normalise } of fields) {
      const given = spellings.filter((spelling) => Object.hasOwn(value, spelling));
      const [first] = given;
      if (first === undefined) continue;
      if (given.length > 1 && given.some((spelling) => !isDeepStrictEqual(value[spelling], value[first])))
        errors.push({
          pointer: `${pointer}/${name}`,
          code: 'TWO_SPELLINGS',
          detail: `given as ${given.join(' and ')} with different values`,
        });
      const member = normalise(value[first], `${pointer}/${name}`, errors);
      if (member !== undefined) result[name] = member;
    }
    return result;
  };
}

/** True if a value of the schema is a text on the wire. */
function isText(schema: z.core.$ZodType): boolean {
  const { def } = schema._zod as unknown as { def: { type: string; in?: z.core.$ZodType } };
  return (
    def.type === 'string' || def.type === 'enum' || (def.type === 'pipe' && def.in !== undefined && isText(def.in))
  );
}

/** Clients send a single text where a list of texts is expected: it is a list of one. */
function listOf(element: Normaliser, isOfTexts: boolean): Normaliser {
  return (given, pointer, errors) => {
    const value = isOfTexts && typeof given === 'string' ? [given] : given;
    return Array.isArray(value)
      ? value.map((item, index) => element(item, `${pointer}/${index}`, errors)).filter((item) => item !== undefined)
      : value;
  };
}

function mapOf(element: Normaliser): Normaliser {
  return (value, pointer, errors) =>
    isObject(value)
      ? Object.fromEntries(
          Object.entries(value).map(([key, item]) => [key, element(item, `${pointer}/${key}`, errors)]),
        )
      : value;
}
