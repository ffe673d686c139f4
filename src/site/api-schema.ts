/** The subset of JSON Schema that the contracts use. */
export interface SchemaNode {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  properties?: Record<string, SchemaNode>;
  required?: string[];
  items?: SchemaNode;
  additionalProperties?: SchemaNode | boolean;
  allOf?: SchemaNode[];
  anyOf?: SchemaNode[];
  oneOf?: SchemaNode[];
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  example?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
}

/** A row of a table of fields; nested fields follow their parent with a greater depth. */
export interface SchemaField {
  name: string;
  depth: number;
  type: string;
  isRequired: boolean;
  description: string;
  choices: string[];
  limits: string[];
  fallback: unknown;
}

const MAX_DEPTH = 8;

/** Reads the schemas of a document and resolves their `$ref`. */
export class SchemaReader {
  readonly #document: object;

  constructor(document: object) {
    this.#document = document;
  }

  /** A part of the document, where a reference may stand for it. */
  resolve<Part extends object>(part: Part): Part {
    const { $ref } = part as { $ref?: string };
    return $ref === undefined ? part : (this.#find($ref) as Part);
  }

  fieldsOf(schema: SchemaNode | undefined, depth = 0): SchemaField[] {
    const whole = this.#resolve(schema ?? {});
    if (depth > MAX_DEPTH) return [];
    return Object.entries(whole.properties ?? {}).flatMap(([name, property]) => [
      this.field(name, property, { depth, isRequired: whole.required?.includes(name) ?? false }),
      ...this.fieldsOf(this.#inner(property), depth + 1),
    ]);
  }

  field(name: string, schema: SchemaNode, place: { depth: number; isRequired: boolean }): SchemaField {
    const whole = this.#resolve(schema);
    const element = whole.items ? this.#resolve(whole.items) : whole;
    return {
      name,
      ...place,
      type: this.#typeOf(whole),
      description: whole.description ?? '',
      choices: (element.enum ?? []).map(String),
      limits: limitsOf(whole),
      fallback: whole.default,
    };
  }

  /** An example value of the schema. */
  sampleOf(schema: SchemaNode, depth = 0): unknown {
    const whole = this.#resolve(schema);
    const choice = whole.enum?.find((value) => !String(value).endsWith('_UNSPECIFIED')) ?? whole.enum?.[0];
    const known = [whole.example, whole.const, whole.default, choice].find((value) => value !== undefined);
    if (known !== undefined) return known;
    const [type] = [whole.type ?? (whole.properties ? 'object' : 'string')].flat();
    if (type === 'array') return whole.items && depth <= MAX_DEPTH ? [this.sampleOf(whole.items, depth + 1)] : [];
    if (type !== 'object') return SAMPLES[whole.format ?? ''] ?? SAMPLES[type ?? ''] ?? 'text';
    const properties = depth > MAX_DEPTH ? [] : Object.entries(whole.properties ?? {});
    return Object.fromEntries(properties.map(([name, property]) => [name, this.sampleOf(property, depth + 1)]));
  }

  #resolve(schema: SchemaNode): SchemaNode {
    const target = schema.$ref === undefined ? schema : { ...this.#find(schema.$ref), ...schema };
    const parts = target.allOf ?? [];
    const variants = (target.anyOf ?? target.oneOf ?? []).map((one) => this.#resolve(one));
    const known = [...parts.map((part) => this.#resolve(part)), target];
    const properties = Object.assign({}, ...[...variants, ...known].map((one) => one.properties));
    const whole: SchemaNode = Object.assign({}, ...known);
    const types = variants.flatMap((one) => one.type ?? []);
    const choices = variants.flatMap((one) => one.enum ?? (one.const === undefined ? [] : [one.const]));
    const items = variants.find((one) => one.items)?.items;
    if (Object.keys(properties).length > 0) whole.properties = properties;
    if (types.length > 0) whole.type ??= [...new Set(types)];
    if (choices.length > 0) whole.enum ??= choices;
    if (items) whole.items ??= items;
    whole.required = known.flatMap((one) => one.required ?? []);
    return whole;
  }

  #find(pointer: string): SchemaNode {
    const names = pointer.replace(/^#\//, '').split('/');
    const found = names.reduce<unknown>(
      (value, name) => (value as Record<string, unknown> | undefined)?.[name.replaceAll('~1', '/')],
      this.#document,
    );
    return (found ?? {}) as SchemaNode;
  }

  /** The schema whose fields are shown below a field: the object itself, or the elements of a list or map. */
  #inner(schema: SchemaNode, depth = 0): SchemaNode {
    const whole = this.#resolve(schema);
    const element = elementOf(whole);
    if (element === undefined) return whole;
    return depth > MAX_DEPTH ? {} : this.#inner(element, depth + 1);
  }

  #typeOf(schema: SchemaNode, depth = 0): string {
    const element = elementOf(schema);
    if (element !== undefined && depth <= MAX_DEPTH)
      return `${schema.items ? 'list of' : 'map to'} ${this.#typeOf(this.#resolve(element), depth + 1)}`;
    const types = [schema.type ?? (schema.properties ? 'object' : 'any')].flat().join(' or ');
    return schema.format === undefined ? types : `${types} (${schema.format})`;
  }
}

const elementOf = ({ items, additionalProperties }: SchemaNode): SchemaNode | undefined =>
  items ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);

const SAMPLES: Record<string, unknown> = {
  int64: '42',
  'date-time': '2030-01-31T12:00:00.000Z',
  email: 'admin@example.com',
  uri: 'https://example.com/',
  string: 'text',
  integer: 42,
  number: 1.5,
  boolean: true,
  null: null,
};

/** False for the bounds of a safe integer, which are not worth showing. */
const isInformative = (bound: number | undefined): bound is number =>
  bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER;

function limitsOf(schema: SchemaNode): string[] {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems } = schema;
  return [
    ...(isInformative(minimum) ? [`at least ${minimum}`] : []),
    ...(isInformative(maximum) ? [`at most ${maximum}`] : []),
    ...(minLength ? [`${minLength} or more characters`] : []),
    ...(maxLength === undefined ? [] : [`at most ${maxLength} characters`]),
    ...(minItems ? [`${minItems} or more entries`] : []),
    ...(maxItems === undefined ? [] : [`at most ${maxItems} entries`]),
  ];
}
