import { z } from 'zod';
import { type FieldKind, fieldKinds } from '#kernel/contract/field-kinds.ts';
import { MAX_LIMIT } from '#kernel/contract/proto-fields.ts';

export interface SchemaMember {
  name: string;
  schema: z.core.$ZodType;
  /** A request without it is rejected. */
  isRequired: boolean;
  /** A reply may omit it. */
  isOptional: boolean;
}

/** What the schema of a contract says about a value on the wire, without wrappers and codecs. */
export type SchemaDescription =
  | { kind: 'object'; members: SchemaMember[] }
  | { kind: 'array'; element: z.core.$ZodType; max: number | undefined }
  | { kind: 'record'; value: z.core.$ZodType }
  | { kind: 'union'; options: z.core.$ZodType[] }
  | { kind: 'int64'; noun: string | undefined }
  | { kind: 'plain_id' | 'slug'; noun: string | undefined }
  | { kind: 'limit'; min: number; max: number }
  | { kind: 'page' | 'page_size'; min: number; max: number }
  | { kind: 'cursor' | 'timestamp' | 'deployment' | 'boolean' | 'anything' }
  | { kind: 'name'; max: number; noun: string | undefined }
  | { kind: 'enum'; names: string[] }
  | { kind: 'number'; isWhole: boolean; min: number; max: number }
  | { kind: 'text'; min: number; max: number; pattern: string | undefined; format: string | undefined };

interface Definition {
  type: string;
  innerType?: z.core.$ZodType;
  in?: z.core.$ZodType;
  element?: z.core.$ZodType;
  valueType?: z.core.$ZodType;
  options?: z.core.$ZodType[];
  shape?: Record<string, z.core.$ZodType>;
  entries?: Record<string, string>;
}

const definitionOf = (schema: z.core.$ZodType) => schema._zod.def as unknown as Definition;
const WRAPPERS = ['optional', 'default', 'prefault', 'nullable', 'readonly'];
const LONGEST_TEXT = 256 * 1024;

export function describeSchema(schema: z.core.$ZodType): SchemaDescription {
  const facts = fieldKinds.get(schema);
  if (facts) return readWord(schema, facts);
  const definition = definitionOf(schema);
  if (WRAPPERS.includes(definition.type) && definition.innerType) return describeSchema(definition.innerType);
  if (definition.type === 'pipe' && definition.in) return describeSchema(definition.in);
  return readPlain(schema, definition);
}

/** True if the value may be null. */
export function isNullable(schema: z.core.$ZodType): boolean {
  const { type, innerType } = definitionOf(schema);
  return type === 'nullable' || (WRAPPERS.includes(type) && innerType !== undefined && isNullable(innerType));
}

function readWord(schema: z.core.$ZodType, { kind, noun, max }: FieldKind): SchemaDescription {
  switch (kind) {
    case 'int64':
    case 'plain_id':
    case 'slug':
      return { kind: kind, noun };
    case 'limit':
      return { kind: kind, min: 1, max: max ?? MAX_LIMIT };
    case 'name':
      return { kind: kind, max: max ?? 128, noun };
    case 'page':
    case 'page_size': {
      const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = z.toJSONSchema(schema, { io: 'input' });
      return { kind: kind, min: minimum, max: maximum };
    }
    case 'cursor':
    case 'timestamp':
    case 'deployment':
      return { kind: kind };
  }
}

function readPlain(schema: z.core.$ZodType, definition: Definition): SchemaDescription {
  const limits = () => z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  switch (definition.type) {
    case 'object':
      return { kind: 'object', members: Object.entries(definition.shape ?? {}).map(memberOf) };
    case 'array':
      return { kind: 'array', element: definition.element as z.core.$ZodType, max: limits().maxItems };
    case 'record':
      return { kind: 'record', value: definition.valueType as z.core.$ZodType };
    case 'union':
      return { kind: 'union', options: definition.options ?? [] };
    case 'enum':
      return { kind: 'enum', names: Object.values(definition.entries ?? {}) };
    case 'boolean':
      return { kind: 'boolean' };
    case 'number': {
      const { type, minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER } = limits();
      return { kind: 'number', isWhole: type === 'integer', min: minimum, max: maximum };
    }
    case 'string': {
      const { minLength = 0, maxLength = LONGEST_TEXT, pattern, format } = limits();
      return { kind: 'text', min: minLength, max: maxLength, pattern, format };
    }
    default:
      return { kind: 'anything' };
  }
}

function memberOf([name, schema]: [string, z.core.$ZodType]): SchemaMember {
  const { type } = definitionOf(schema);
  return {
    name,
    schema,
    isRequired: !['optional', 'default', 'prefault'].includes(type),
    isOptional: type === 'optional',
  };
}

/** Members that a reply omits although they are declared, or has although they are not, one sentence each. */
export function schemaViolations(schema: z.core.$ZodType, value: unknown, pointer = '#'): string[] {
  if (value === null && isNullable(schema)) return [];
  const reading = describeSchema(schema);
  switch (reading.kind) {
    case 'object': {
      if (!isObject(value)) return [`${pointer} is not an object`];
      const known = new Set(reading.members.map(({ name }) => name));
      return [
        ...Object.keys(value)
          .filter((name) => !known.has(name))
          .map((name) => `${pointer}/${name} is not declared`),
        ...reading.members.flatMap(({ name, schema: inner, isOptional }) => {
          if (Object.hasOwn(value, name)) return schemaViolations(inner, value[name], `${pointer}/${name}`);
          return isOptional ? [] : [`${pointer}/${name} is missing`];
        }),
      ];
    }
    case 'array':
      if (!Array.isArray(value)) return [`${pointer} is not a list`];
      return value.flatMap((item, index) => schemaViolations(reading.element, item, `${pointer}/${index}`));
    case 'record':
      if (!isObject(value)) return [`${pointer} is not an object`];
      return Object.entries(value).flatMap(([key, item]) => schemaViolations(reading.value, item, `${pointer}/${key}`));
    case 'union': {
      const tries = reading.options.map((option) => schemaViolations(option, value, pointer));
      return tries.find((problems) => problems.length === 0) ?? tries[0] ?? [];
    }
    default:
      return [];
  }
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
