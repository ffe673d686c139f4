import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { type FieldKind, fieldKinds } from '#kernel/contract/field-kinds.ts';
import { DEFAULT_LIMIT } from '#kernel/contract/proto-fields.ts';

export type JsonSchema = Record<string, unknown>;

/** Where a schema stands: in a body, or in a path or query, where a number has no quotes. */
type Place = 'body' | 'parameter';

/** Somewhat fewer digits than fit, so that every number of this form is accepted. */
const INT64 = { type: 'string', format: 'int64', pattern: '^(0|-?[1-9][0-9]{0,17})$' };
const POSITIVE_INT64 = { type: 'string', format: 'int64', pattern: '^[1-9][0-9]{0,17}$' };
const INTEGER = { type: 'integer', format: 'int64' };

/**
 * Writes contract schemas as JSON Schema. A shape that has a name becomes a component, and a reference wherever it is
 * used. Requests and replies share the components: the wire is always the input side of the codecs. What requests alone
 * accept, 64-bit integers as numbers, is not written, so that an id of a reply can be sent back as it is.
 */
export class SchemaWriter {
  /** The named shapes that were used so far, by name. */
  readonly components = new Map<string, JsonSchema>();
  readonly #metadata: NamedShapes;

  constructor(names: ReadonlyMap<z.ZodType, string>) {
    this.#metadata = new NamedShapes(names);
  }

  parameters(schema: z.ZodObject): JsonSchema {
    return this.#write(schema, 'parameter');
  }

  request(schema: z.ZodObject): JsonSchema {
    return this.#write(this.#metadata.sameAs(schema), 'body');
  }

  /** A member with a default may be absent from a request, and is always in a reply. */
  reply(schema: z.ZodObject): JsonSchema {
    const written = this.#write(this.#metadata.sameAs(schema), 'body');
    if ('$ref' in written) return written;
    const required = Object.entries(schema.shape)
      .filter(([name, member]) => isRequired(written, name) || member.def.type === 'default')
      .map(([name]) => name);
    return required.length === 0 ? written : { ...written, required };
  }

  #write(schema: z.ZodObject, place: Place): JsonSchema {
    const written = z.toJSONSchema(schema, {
      io: 'input',
      unrepresentable: 'any',
      metadata: this.#metadata,
      override: ({ zodSchema, jsonSchema }) => {
        const facts = fieldKinds.get(zodSchema as unknown as z.ZodType);
        const word = facts && ofWord(facts, place);
        if (word) replace(jsonSchema, word);
        else dropRepetition(jsonSchema);
        if (isExclusive(zodSchema)) exchange(jsonSchema, 'anyOf', 'oneOf');
      },
    });
    const { $schema: _, $defs = {}, ...result } = withComponentRefs(written) as JsonSchema & { $defs?: Defs };
    for (const [name, component] of Object.entries($defs)) this.#keep(name, component);
    return result;
  }

  #keep(name: string, component: JsonSchema): void {
    const known = this.components.get(name);
    if (known && !isDeepStrictEqual(known, component))
      throw new Error(`The shape ${name} would be written in two ways: as a parameter and in a body.`);
    this.components.set(name, component);
  }
}

type Defs = Record<string, JsonSchema>;

export const propertiesOf = (schema: JsonSchema): Record<string, JsonSchema> =>
  (schema['properties'] ?? {}) as Record<string, JsonSchema>;

export const isRequired = (schema: JsonSchema, name: string) => ((schema['required'] ?? []) as string[]).includes(name);

/** What Zod knows about schemas, with the names of shapes as their ids. */
class NamedShapes extends z.core.$ZodRegistry<Record<string, unknown>> {
  readonly #names: ReadonlyMap<z.core.$ZodType, string>;

  constructor(names: ReadonlyMap<z.core.$ZodType, string>) {
    super();
    this.#names = names;
  }

  override get<Schema extends z.core.$ZodType>(schema: Schema) {
    const name = this.#names.get(schema);
    const meta = z.globalRegistry.get(schema);
    return (name === undefined ? meta : { ...meta, id: name }) as ReturnType<
      z.core.$ZodRegistry<Record<string, unknown>>['get']
    >;
  }

  /** The named shape that has the very members of this object, as where an operation replies with a shape itself. */
  sameAs(schema: z.ZodObject): z.ZodObject {
    const members = Object.entries(schema.shape);
    const isSame = (named: z.core.$ZodType): named is z.ZodObject =>
      named instanceof z.ZodObject &&
      Object.keys(named.shape).length === members.length &&
      members.every(([name, member]) => named.shape[name] === member);
    return members.length === 0 ? schema : ([...this.#names.keys()].find(isSame) ?? schema);
  }
}

/** The wire form of a field word, for those whose codec does not show it. */
function ofWord({ kind, fallback = DEFAULT_LIMIT, noun, max, isNumber = false }: FieldKind, place: Place) {
  const isInteger = isNumber || (place === 'parameter' && noun === undefined);
  switch (kind) {
    case 'int64':
      return isInteger ? { ...INTEGER, ...(max !== undefined && { minimum: -max, maximum: max }) } : INT64;
    case 'limit':
      return isInteger
        ? { ...INTEGER, minimum: 1, default: fallback }
        : { ...POSITIVE_INT64, default: String(fallback) };
    case 'plain_id':
      return INTEGER;
    case 'name':
      return { type: 'string', minLength: 1, ...(max !== undefined && { maxLength: max }) };
    case 'timestamp':
      return { type: 'string', format: 'date-time' };
    case 'cursor':
      return { type: 'string', default: '' };
    case 'deployment':
      return { type: 'string', description: 'Id or slug of the deployment.' };
    default:
      return undefined;
  }
}

/** A pattern beside its format, the bounds of exact numbers, and that names are text, say nothing new. */
function dropRepetition(schema: JsonSchema): void {
  if (schema['format'] !== undefined && schema['format'] !== 'int64') delete schema['pattern'];
  if (schema['minimum'] === Number.MIN_SAFE_INTEGER && schema['format'] !== 'int64') delete schema['minimum'];
  if (schema['maximum'] === Number.MAX_SAFE_INTEGER && schema['format'] !== 'int64') delete schema['maximum'];
  if (isDeepStrictEqual(schema['propertyNames'], { type: 'string' })) delete schema['propertyNames'];
}

/**
 * True for a union of objects of which a value can be only one: each has a required member that the other lacks.
 * Generators of clients can tell such objects apart.
 */
function isExclusive(schema: z.core.$ZodType): boolean {
  if (!(schema instanceof z.ZodUnion)) return false;
  const options = schema.options.filter((option) => option instanceof z.ZodObject);
  const hasOwn = (one: z.ZodObject, other: z.ZodObject) =>
    Object.entries(one.shape).some(([name, member]) => member._zod.optin === undefined && !(name in other.shape));
  return (
    options.length === schema.options.length &&
    options.every((one) => options.every((other) => one === other || hasOwn(one, other)))
  );
}

function exchange(schema: JsonSchema, from: string, to: string): void {
  const { [from]: value } = schema;
  if (value === undefined) return;
  delete schema[from];
  schema[to] = value;
}

function replace(target: JsonSchema, by: JsonSchema): void {
  for (const name of Object.keys(target)) delete target[name];
  Object.assign(target, by);
}

/** The same schema with its references pointing to the components of a document. */
function withComponentRefs(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withComponentRefs);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      name === '$ref' && typeof item === 'string'
        ? item.replace(/^#\/\$defs\//, '#/components/schemas/')
        : withComponentRefs(item),
    ]),
  );
}
