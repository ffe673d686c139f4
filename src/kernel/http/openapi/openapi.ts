import { allFaults, faultsOf } from '../pipeline/fault-catalogue.ts';
import { OperationWriter } from './describe-operation.ts';
import { codeTable, problemSchema, sharedErrorResponses } from './error-responses.ts';
import { exampleIdsOf, exampleOf, type Room } from './example-calls.ts';
import { ParameterWriter } from './parameters.ts';
import { type JsonSchema, SchemaWriter } from './schema-writer.ts';
import { shapeNamesOf } from './shape-names.ts';
import { SharedParts } from './shared-parts.ts';

/** What an API description is made from. */
export interface Described {
  rooms: readonly Room[];
  /** The modules whose exported shapes are components under their names, beside those of the contracts. */
  shapes: readonly object[];
  version: string;
}

/** The OpenAPI 3.1 document of all rooms: a derived file, never edited. */
export function openapiOf({ rooms, shapes, version }: Described): JsonSchema {
  const modules = [...rooms.map(({ group }) => group.contract), ...shapes];
  const schemas = new SchemaWriter(shapeNamesOf(modules));
  const parameters = new SharedParts('parameters');
  const operations = new OperationWriter(schemas, new ParameterWriter(schemas, parameters));
  const of = exampleIdsOf(modules);
  const paths = new Map<string, JsonSchema>();
  for (const room of rooms)
    for (const bound of room.group.operations) {
      const { template, method } = bound.operation;
      const path = template.replace('...}', '}');
      const described = operations.write(bound, exampleOf(room, bound, of));
      paths.set(path, { ...paths.get(path), [method.toLowerCase()]: described });
    }
  const bound = rooms.flatMap(({ group }) => group.operations);
  return {
    openapi: '3.1.0',
    info: { ...info, 'x-server-version': version },
    servers: [{ url: '/' }],
    tags: rooms.map(({ group, purpose }) => ({ name: group.name, description: purpose })),
    paths: sorted(paths),
    components: {
      securitySchemes,
      schemas: sorted(new Map([...schemas.components, ['Problem', problemSchema]])),
      parameters: parameters.all(),
      responses: sharedErrorResponses(
        bound.map((one) => ({ operation: one.operation, kinds: [...faultsOf(one).values()] })),
      ),
      'x-codes': codeTable(allFaults(bound)),
    },
  };
}

const sorted = (parts: ReadonlyMap<string, JsonSchema>) =>
  Object.fromEntries([...parts].sort(([one], [other]) => (one < other ? -1 : 1)));

const info = {
  title: 'Parapet API',
  version: 'v2.0.0.alpha',
  summary: 'Application security: findings, triage, policy and reports.',
  description:
    'Integers of 64 bits are decimal text, because JSON numbers are not exact beyond 2^53; requests may also send ' +
    'them as numbers. A list ends when the `cursor` of its reply is empty. Errors are `application/problem+json`; ' +
    'each operation lists the codes that it can answer with in `x-codes`, and `components.x-codes` has their meaning.',
  license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
};

const securitySchemes = {
  ServiceWebToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'string',
    description: 'An API token with the Web API permission and without limited scopes.',
  },
  ServiceJWT: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'string',
    description: 'The access token of a signed-in user.',
  },
};
