import type { ExampleIdOf } from '#kernel/contract/example.ts';
import type { FaultKind } from '#kernel/contract/fault.ts';
import { type JsonSchema, jsonSchemaOf } from '#kernel/contract/json-schema.ts';
import { acceptsIdempotencyKey, type Operation } from '#kernel/contract/operation.ts';
import { faultsOf } from '../pipeline/fault-catalogue.ts';
import type { BoundOperation, ServiceGroup } from '../pipeline/group.ts';

export interface Room {
  group: ServiceGroup;
  purpose: string;
  examples: object;
}

const IDS: Record<string, string> = {
  Deployment: '1',
  Team: '7',
  UnmigratedDeployment: '1',
  DemoDeployment: '1',
  Project: '42',
  ProjectName: 'acme/shop',
  Branch: '9',
  Scan: '77',
  Ruleboard: 'payments',
  Policy: '5',
  User: '3',
  Token: '11',
  Automation: '5',
  DeletedAutomation: '5',
  Tag: 'team:web',
  DeploymentName: 'Acme',
  PartnerCredential: '5',
  SsoProvider: '2',
  Issue: '508',
  Finding: '4821',
  FindingBatch: '31',
  ExceptionRequest: '12',
  Email: 'admin@example.com',
  Password: 'correct horse battery staple',
  SetupToken: 'the-token-that-the-server-printed',
  InvitationToken: 'the-token-of-the-link',
  NewEmail: 'grace@example.com',
  NewLoginKey: '7b1f1d6e-3c55-4c4e-9a53-0b7f0f6f2f11',
  LoginKey: '7b1f1d6e-3c55-4c4e-9a53-0b7f0f6f2f11',
  Notification: '21',
  Survey: 'onboarding',
  TaskToken: 'the-token-that-the-start-gave',
  TaskTicket: 'the-ticket-of-the-link',
  ProductWithoutContent: 'PRODUCT_SAST',
  ReviewCommentContent: '4',
};

/** Made-up ids for the examples of the document. */
const documented: ExampleIdOf = (noun) => IDS[noun] ?? 'Alpha';

export const operationIdOf = ({ group, name }: BoundOperation): string =>
  `${group}_${name[0]?.toUpperCase()}${name.slice(1)}`;

export interface ExampleCall {
  path?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
  upload?: string;
}

export function exampleOf(room: Room, bound: BoundOperation, of: ExampleIdOf): ExampleCall {
  const make = (room.examples as Record<string, ((of: ExampleIdOf) => ExampleCall) | undefined>)[bound.name];
  if (!make) throw new Error(`${bound.group} has no example for ${bound.name}.`);
  return make(of);
}

/** The OpenAPI 3.1 document of all rooms: a derived file, never edited. */
export function openapiOf(rooms: readonly Room[], version: string): JsonSchema {
  const paths: Record<string, JsonSchema> = {};
  for (const room of rooms)
    for (const bound of room.group.operations) {
      const path = bound.operation.template.replace('...}', '}');
      paths[path] = { ...paths[path], [bound.operation.method.toLowerCase()]: describe(room, bound) };
    }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Parapet API',
      version: 'v2.0.0.alpha',
      'x-server-version': version,
      summary: 'Application security: findings, triage, policy and reports.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: rooms.map(({ group, purpose }) => ({ name: group.name, description: purpose })),
    paths: Object.fromEntries(Object.entries(paths).sort(([one], [other]) => (one < other ? -1 : 1))),
    components: { securitySchemes, schemas: { Problem: problemSchema } },
  };
}

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

const text = { type: 'string' };

const problemSchema = {
  type: 'object',
  description: 'What went wrong (RFC 9457), with the member `error` that existing clients read.',
  required: ['type', 'title', 'status', 'detail', 'instance', 'code', 'requestId', 'errors', 'error'],
  properties: {
    type: text,
    title: text,
    status: { type: 'integer' },
    detail: text,
    instance: text,
    code: { ...text, description: 'Never changes its meaning; texts may be reworded.' },
    requestId: text,
    hint: text,
    error: text,
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['pointer', 'code', 'detail'],
        properties: { pointer: text, code: text, detail: text },
      },
    },
  },
};

function describe(room: Room, bound: BoundOperation): JsonSchema {
  const { operation } = bound;
  const example = exampleOf(room, bound, documented);
  return {
    operationId: operationIdOf(bound),
    tags: [bound.group],
    summary: operation.summary,
    ...(operation.description ? { description: operation.description } : {}),
    ...(operation.deprecated ? { deprecated: true } : {}),
    'x-maturity': operation.maturity,
    ...(operation.isExtension ? { 'x-extension': true } : {}),
    'x-permission': operation.allow,
    security: securityOf(operation),
    parameters: parametersOf(operation, example),
    ...(operation.hasBody || operation.upload ? { requestBody: requestBodyOf(operation, example) } : {}),
    responses: responsesOf(bound),
  };
}

function securityOf({ allow, credential }: Operation): JsonSchema[] {
  if (allow === 'public') return [];
  return credential === 'user' ? [{ ServiceJWT: [] }] : [{ ServiceWebToken: [] }, { ServiceJWT: [] }];
}

function parametersOf(operation: Operation, example: ExampleCall): JsonSchema[] {
  const path = propertiesOf(jsonSchemaOf(operation.path, 'query'));
  const query = jsonSchemaOf(operation.query, 'query');
  const required = (query['required'] ?? []) as string[];
  return [
    ...Object.entries(path).map(([name, schema]) => parameter(name, 'path', { schema, example: example.path?.[name] })),
    ...Object.entries(propertiesOf(query)).map(([name, schema]) => ({
      ...parameter(name, 'query', { schema, example: example.query?.[name] }),
      required: required.includes(name),
    })),
    ...(operation.isVersioned && !operation.isRead
      ? [headerParameter('If-Match', 'The ETag of the version to change.')]
      : []),
    ...(acceptsIdempotencyKey(operation)
      ? [headerParameter('Idempotency-Key', 'The same key gives the same answer for 24 hours; the work is done once.')]
      : []),
  ];
}

const propertiesOf = (schema: JsonSchema) => (schema['properties'] ?? {}) as Record<string, JsonSchema>;

const parameter = (name: string, place: 'path' | 'query', facts: { schema: JsonSchema; example: unknown }) => ({
  name,
  in: place,
  required: true,
  schema: facts.schema,
  ...exampled(facts.example),
});

const headerParameter = (name: string, description: string) => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: text,
});

function requestBodyOf({ body, upload }: Operation, example: ExampleCall) {
  const media = upload
    ? { schema: { type: 'string', format: 'binary' }, ...exampled(example.upload) }
    : { schema: jsonSchemaOf(body, 'request'), ...exampled(example.body) };
  const types = upload?.types ?? ['application/json'];
  return { required: true, content: Object.fromEntries(types.map((type) => [type, media])) };
}

const exampled = (example: unknown) => (example === undefined ? {} : { example });

function responsesOf(bound: BoundOperation): JsonSchema {
  const { operation } = bound;
  const byStatus = new Map<number, FaultKind[]>();
  for (const kind of faultsOf(bound).values()) byStatus.set(kind.status, [...(byStatus.get(kind.status) ?? []), kind]);
  const problems = [...byStatus]
    .sort(([one], [other]) => one - other)
    .map(([status, kinds]) => [status, refusal(kinds)]);
  const success = {
    description: 'Done.',
    ...(operation.isVersioned
      ? { headers: { ETag: { description: 'The version of the object.', schema: text } } }
      : {}),
    ...(operation.status === 204 ? {} : { content: replyOf(operation) }),
  };
  const other = operation.otherStatus ? { [operation.otherStatus]: success } : {};
  return { [operation.status]: success, ...other, ...Object.fromEntries(problems) };
}

/** Text is text; what else is sent as it is has no form that a schema could tell. */
function replyOf({ reply, raw: rawReply }: Operation): JsonSchema {
  const raw = (type: string) => ({ schema: type.startsWith('text/') ? text : { ...text, format: 'binary' } });
  if (rawReply) return Object.fromEntries(rawReply.types.map((type) => [type, raw(type)]));
  return { 'application/json': { schema: jsonSchemaOf(reply, 'reply') } };
}

const refusal = (kinds: FaultKind[]) => ({
  description: kinds.map(({ code, sentence }) => `\`${code}\`: ${sentence}`).join('\n\n'),
  content: {
    'application/problem+json': {
      schema: {
        allOf: [
          { $ref: '#/components/schemas/Problem' },
          { type: 'object', properties: { code: { enum: kinds.map(({ code }) => code).sort() } } },
        ],
      },
    },
  },
});
