import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../http/schema-description.ts';

type Schema = Record<string, unknown> | boolean;

const typeOf = (value: unknown): string => {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
};

const isOfType = (value: unknown, type: unknown): boolean =>
  type === 'integer' ? Number.isInteger(value) : typeOf(value) === type;

const schemas = (value: unknown): Schema[] => (Array.isArray(value) ? (value as Schema[]) : []);

/** Validates values against the subset of JSON Schema draft 7 that report schemas use, without formats. */
export class JsonSchemaCheck {
  readonly #documents: ReadonlyMap<string, Schema>;

  /** The documents by the last part of their ids. */
  constructor(documents: ReadonlyMap<string, Schema>) {
    this.#documents = documents;
  }

  /** Where the value is invalid, one sentence each. */
  problems(document: string, value: unknown): string[] {
    return this.#check(this.#documents.get(document) ?? false, value, { document, at: '#' });
  }

  #resolve(ref: string, document: string): { schema: Schema; document: string } {
    const [file = '', pointer = ''] = ref.split('#');
    const name = file === '' ? document : (file.split('/').at(-1) ?? '');
    let schema: unknown = this.#documents.get(name);
    if (schema === undefined) throw new Error(`There is no schema ${name}.`);
    for (const part of pointer.split('/').filter(Boolean)) schema = (schema as Record<string, unknown>)[part];
    return { schema: (schema ?? false) as Schema, document: name };
  }

  #check(schema: Schema, value: unknown, place: { document: string; at: string }): string[] {
    if (typeof schema === 'boolean') return schema ? [] : [`${place.at} is not allowed`];
    const { $ref } = schema;
    if (typeof $ref === 'string') {
      const found = this.#resolve($ref, place.document);
      return this.#check(found.schema, value, { ...place, document: found.document });
    }
    return [
      ...this.#ofValue(schema, value, place.at),
      ...this.#ofCombinations(schema, value, place),
      ...(isObject(value) ? this.#ofObject(schema, value, place) : []),
      ...(Array.isArray(value) ? this.#ofArray(schema, value, place) : []),
    ];
  }

  #ofValue(schema: Record<string, unknown>, value: unknown, at: string): string[] {
    const { type, enum: names, pattern, minimum, minLength } = schema;
    const isText = typeof value === 'string';
    const facts: [isTrue: boolean, otherwise: string][] = [
      [type === undefined || [type].flat().some((one) => isOfType(value, one)), `is no ${type}`],
      [!Array.isArray(names) || names.some((one) => isDeepStrictEqual(one, value)), 'is not in the enum'],
      [!('const' in schema) || isDeepStrictEqual(schema['const'], value), 'is not the constant'],
      [!(isText && typeof pattern === 'string') || new RegExp(pattern, 'u').test(value as string), `is not ${pattern}`],
      [!(isText && typeof minLength === 'number') || (value as string).length >= minLength, 'is too short'],
      [!(typeof value === 'number' && typeof minimum === 'number') || value >= minimum, 'is too small'],
    ];
    return facts.flatMap(([isTrue, otherwise]) => (isTrue ? [] : [`${at} ${otherwise}: ${JSON.stringify(value)}`]));
  }

  #ofCombinations(schema: Record<string, unknown>, value: unknown, place: { document: string; at: string }): string[] {
    const fits = (one: Schema) => this.#check(one, value, place).length === 0;
    const { oneOf, anyOf, allOf, not, if: condition } = schema;
    const isMet = condition !== undefined && fits(condition as Schema);
    const branch = condition === undefined ? undefined : schema[isMet ? 'then' : 'else'];
    const matching = schemas(oneOf).filter(fits).length;
    return [
      ...(oneOf !== undefined && matching !== 1 ? [`${place.at} fits ${matching} of oneOf`] : []),
      ...(anyOf !== undefined && !schemas(anyOf).some(fits) ? [`${place.at} matches none of anyOf`] : []),
      ...schemas(allOf).flatMap((one) => this.#check(one, value, place)),
      ...(not !== undefined && fits(not as Schema) ? [`${place.at} matches the schema under not`] : []),
      ...(branch === undefined ? [] : this.#check(branch as Schema, value, place)),
    ];
  }

  #ofObject(
    schema: Record<string, unknown>,
    value: Record<string, unknown>,
    { document, at }: { document: string; at: string },
  ): string[] {
    const properties = (schema['properties'] ?? {}) as Record<string, Schema>;
    const patterns = Object.entries((schema['patternProperties'] ?? {}) as Record<string, Schema>);
    const { additionalProperties = true } = schema;
    const missing = ((schema['required'] ?? []) as string[]).filter((name) => !Object.hasOwn(value, name));
    return [
      ...missing.map((name) => `${at}/${name} is missing`),
      ...Object.entries(value).flatMap(([name, item]) => {
        const own = [
          ...(Object.hasOwn(properties, name) ? [properties[name] as Schema] : []),
          ...patterns.filter(([pattern]) => new RegExp(pattern, 'u').test(name)).map(([, inner]) => inner),
        ];
        const checked = own.length > 0 ? own : [additionalProperties as Schema];
        return checked.flatMap((inner) => this.#check(inner, item, { document, at: `${at}/${name}` }));
      }),
    ];
  }

  #ofArray(schema: Record<string, unknown>, value: unknown[], { document, at }: { document: string; at: string }) {
    const { items, uniqueItems, minItems, maxItems, additionalItems } = schema;
    const isTuple = Array.isArray(items);
    const schemaOf = (index: number): Schema =>
      isTuple ? (schemas(items)[index] ?? ((additionalItems ?? true) as Schema)) : ((items ?? true) as Schema);
    const texts = value.map((item) => JSON.stringify(item));
    return [
      ...value.flatMap((item, index) => this.#check(schemaOf(index), item, { document, at: `${at}/${index}` })),
      ...(uniqueItems === true && new Set(texts).size !== texts.length ? [`${at} repeats an item`] : []),
      ...(typeof minItems === 'number' && value.length < minItems ? [`${at} has too few items`] : []),
      ...(typeof maxItems === 'number' && value.length > maxItems ? [`${at} has too many items`] : []),
    ];
  }
}
