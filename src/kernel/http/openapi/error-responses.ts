import { STATUS_CODES } from 'node:http';
import { Fault, type FaultKind } from '#kernel/contract/fault.ts';
import type { Operation } from '#kernel/contract/operation.ts';
import { problemResponse, scimErrorResponse } from '../edge/problem.ts';
import type { JsonSchema } from './schema-writer.ts';

const text = { type: 'string' };

export const problemSchema = {
  type: 'object',
  description: 'What went wrong (RFC 9457), with the member `error` that existing clients read.',
  required: ['type', 'title', 'status', 'detail', 'instance', 'code', 'requestId', 'errors', 'error'],
  properties: {
    type: text,
    title: text,
    status: { type: 'integer' },
    detail: text,
    instance: text,
    code: {
      ...text,
      description:
        'Never changes its meaning; texts may be reworded. `x-codes` of an operation lists those it can answer with, ' +
        'and later versions may have more.',
    },
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

type ErrorMediaType = NonNullable<Operation['mediaType']> | 'application/problem+json';

const RENDERERS = { 'application/problem+json': problemResponse, 'application/scim+json': scimErrorResponse };
const SCHEMAS: Record<ErrorMediaType, JsonSchema> = {
  'application/problem+json': { $ref: '#/components/schemas/Problem' },
  'application/scim+json': { type: 'object', required: ['schemas', 'status', 'detail'] },
};

/** An operation and the errors that it can answer with. */
export interface Failing {
  operation: Pick<Operation, 'mediaType'>;
  kinds: readonly FaultKind[];
}

const typeOf = ({ operation }: Failing): ErrorMediaType => operation.mediaType ?? 'application/problem+json';

const nameOf = (type: ErrorMediaType, status: number) =>
  (type === 'application/scim+json' ? 'Scim' : '') +
  (STATUS_CODES[status] ?? `Status ${status}`).replaceAll(/[^A-Za-z0-9]/g, '');

/** Refers from each status that these errors have to its shared response. */
export const errorResponsesOf = (failing: Failing): JsonSchema =>
  Object.fromEntries(
    failing.kinds.map(({ status }) => [status, { $ref: `#/components/responses/${nameOf(typeOf(failing), status)}` }]),
  );

/** One response for each status of these errors and for each media type, for all operations. */
export function sharedErrorResponses(failing: readonly Failing[]): JsonSchema {
  const byName = new Map<string, JsonSchema>();
  const byStatus = failing
    .flatMap((one) => one.kinds.map((kind) => ({ type: typeOf(one), kind })))
    .sort((one, other) => one.kind.status - other.kind.status);
  for (const { type, kind } of byStatus) {
    const name = nameOf(type, kind.status);
    if (!byName.has(name)) byName.set(name, responseLike(type, kind));
  }
  return Object.fromEntries(byName);
}

const RETRY_AFTER = { description: 'How many seconds to wait before the next try.', schema: { type: 'integer' } };

function responseLike(type: ErrorMediaType, kind: FaultKind): JsonSchema {
  const example = JSON.parse(RENDERERS[type](new Fault(kind, kind.sentence), '0199a3c2f7d84c1e').body) as JsonSchema;
  return {
    description: `${STATUS_CODES[kind.status]}. \`x-codes\` of the operation lists the codes.`,
    ...(kind.status === 429 || kind.status === 503 ? { headers: { 'Retry-After': RETRY_AFTER } } : {}),
    content: { [type]: { schema: SCHEMAS[type], example } },
  };
}

/** Every error code with its status and what it means. */
export const codeTable = (kinds: readonly FaultKind[]): JsonSchema =>
  Object.fromEntries(kinds.map(({ code, status, sentence, hint }) => [code, { status, sentence, hint }]));
