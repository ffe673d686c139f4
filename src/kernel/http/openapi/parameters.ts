import { fieldKinds } from '#kernel/contract/field-kinds.ts';
import { acceptsIdempotencyKey, type Operation } from '#kernel/contract/operation.ts';
import type { ExampleCall } from './example-calls.ts';
import { isRequired, type JsonSchema, propertiesOf, type SchemaWriter } from './schema-writer.ts';
import type { SharedParts } from './shared-parts.ts';

const IF_MATCH = headerParameter('If-Match', 'The ETag of the version to change.');
const REQUIRED_IF_MATCH = { ...headerParameter('If-Match', 'The version to replace.'), required: true };
const IDEMPOTENCY_KEY = headerParameter(
  'Idempotency-Key',
  'The same key gives the same answer for 24 hours; the work is done once.',
  '^[!-~]{1,255}$',
);

/** Describes the parameters of operations; those that many operations have are shared. */
export class ParameterWriter {
  readonly #shared: SharedParts;
  readonly #schemas: SchemaWriter;

  constructor(schemas: SchemaWriter, shared: SharedParts) {
    this.#schemas = schemas;
    this.#shared = shared;
  }

  write(operation: Operation, example: ExampleCall): JsonSchema[] {
    return [
      ...this.#inUrl(operation, 'path', example.path),
      ...this.#inUrl(operation, 'query', example.query),
      ...(operation.requiresIfMatch ? [REQUIRED_IF_MATCH] : []),
      ...(operation.isVersioned && !operation.isRead ? [this.#shared.refer('IfMatch', IF_MATCH)] : []),
      ...(acceptsIdempotencyKey(operation) ? [this.#shared.refer('IdempotencyKey', IDEMPOTENCY_KEY)] : []),
    ];
  }

  #inUrl(operation: Operation, place: 'path' | 'query', examples: Record<string, unknown> = {}): JsonSchema[] {
    const written = this.#schemas.parameters(operation[place]);
    return Object.entries(operation[place].shape).map(([name, field]) => {
      const schema = propertiesOf(written)[name] ?? {};
      const required = place === 'path' || isRequired(written, name);
      const parameter = { name, in: place, required, schema, ...exampleIn(schema, examples[name]) };
      const isCommon = ['deployment', 'cursor'].includes(fieldKinds.get(field)?.kind ?? '');
      return isCommon ? this.#shared.refer(pascalOf(name), parameter) : parameter;
    });
  }
}

const pascalOf = (name: string) => `${name[0]?.toUpperCase()}${name.slice(1)}`;

function headerParameter(name: string, description: string, pattern?: string) {
  const schema = { type: 'string', ...(pattern !== undefined && { pattern }) };
  return { name, in: 'header', required: false, description, schema };
}

/** Examples are written as requests may send them, with numbers as text; here a number is a number. */
function exampleIn({ type }: JsonSchema, example: unknown) {
  if (example === undefined || example === '') return {};
  return { example: type === 'integer' ? Number(example) : example };
}
