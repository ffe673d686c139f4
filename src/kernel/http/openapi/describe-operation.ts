import type { Operation } from '#kernel/contract/operation.ts';
import { faultsOf } from '../pipeline/fault-catalogue.ts';
import type { BoundOperation } from '../pipeline/group.ts';
import { errorResponsesOf } from './error-responses.ts';
import type { ExampleCall } from './example-calls.ts';
import type { ParameterWriter } from './parameters.ts';
import { type JsonSchema, propertiesOf, type SchemaWriter } from './schema-writer.ts';

export const operationIdOf = ({ group, name }: BoundOperation): string =>
  `${group}_${name[0]?.toUpperCase()}${name.slice(1)}`;

const text = { type: 'string' };
const binary = { ...text, format: 'binary' };

/** Describes operations; the shapes and parameters that they have in common are collected on the way. */
export class OperationWriter {
  readonly #schemas: SchemaWriter;
  readonly #parameters: ParameterWriter;

  constructor(schemas: SchemaWriter, parameters: ParameterWriter) {
    this.#schemas = schemas;
    this.#parameters = parameters;
  }

  write(bound: BoundOperation, example: ExampleCall): JsonSchema {
    const { operation } = bound;
    const faults = [...faultsOf(bound).values()].sort((one, other) => one.status - other.status);
    return {
      operationId: operationIdOf(bound),
      tags: [bound.group],
      summary: operation.summary,
      ...(operation.description ? { description: operation.description } : {}),
      ...(operation.deprecated ? { deprecated: true } : {}),
      'x-maturity': operation.maturity,
      ...(operation.isExtension ? { 'x-extension': true } : {}),
      ...(operation.isStrict ? { 'x-strict': true } : {}),
      'x-permission': operation.allow,
      'x-codes': faults.map(({ code }) => code).sort(),
      security: securityOf(operation),
      parameters: this.#parameters.write(operation, example),
      ...(operation.hasBody || operation.upload ? { requestBody: this.#requestBody(operation, example) } : {}),
      responses: { ...this.#successes(operation), ...errorResponsesOf({ operation, kinds: faults }) },
    };
  }

  #requestBody({ body, upload, mediaType }: Operation, example: ExampleCall): JsonSchema {
    const schema = upload ? binary : this.#schemas.request(body);
    const media = { schema, ...withExample(upload ? example.upload : exampleBodyOf(schema, example.body)) };
    const types = upload?.types ?? [mediaType ?? 'application/json'];
    return { required: true, content: Object.fromEntries(types.map((type) => [type, media])) };
  }

  #successes(operation: Operation): JsonSchema {
    const success = {
      description: 'Done.',
      ...(operation.isVersioned
        ? { headers: { ETag: { description: 'The version of the object.', schema: text } } }
        : {}),
      ...(operation.status === 204 ? {} : { content: this.#content(operation) }),
    };
    return {
      [operation.status]: success,
      ...(operation.otherStatus ? { [operation.otherStatus]: success } : {}),
    };
  }

  /** Text is text; what else is sent as it is has no form that a schema could tell. */
  #content({ reply, raw, mediaType }: Operation): JsonSchema {
    // Tools read JSON, YAML and events before they compare them with a schema.
    const isParsed = (type: string) => /json$|yaml$|^text\/event-stream$/.test(type);
    const written = (type: string) => ({ schema: isParsed(type) ? {} : type.startsWith('text/') ? text : binary });
    if (raw) return Object.fromEntries(raw.types.map((type) => [type, written(type)]));
    return { [mediaType ?? 'application/json']: { schema: this.#schemas.reply(reply) } };
  }
}

function securityOf({ allow, credential }: Operation): JsonSchema[] {
  if (allow === 'public') return [];
  return credential === 'user' ? [{ ServiceJWT: [] }] : [{ ServiceWebToken: [] }, { ServiceJWT: [] }];
}

/** Examples have numbers as text; where the description says that a member is a number, its example is one. */
function exampleBodyOf(schema: JsonSchema, body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return body;
  const properties = propertiesOf(schema);
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, exampleValueOf(properties[name], value)]),
  );
}

function exampleValueOf(schema: JsonSchema | undefined, value: unknown): unknown {
  if (Array.isArray(value))
    return value.map((item) => exampleValueOf(schema?.['items'] as JsonSchema | undefined, item));
  return typeof value === 'string' && schema?.['type'] === 'integer' ? Number(value) : value;
}

const withExample = (example: unknown) => (example === undefined ? {} : { example });
