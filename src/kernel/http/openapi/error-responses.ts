import { STATUS_CODES } from 'node:http';
import { Fault, type FaultKind } from '#kernel/contract/fault.ts';
import { problemResponse } from '../edge/problem.ts';
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

const nameOf = (status: number) => (STATUS_CODES[status] ?? `Status ${status}`).replaceAll(/[^A-Za-z0-9]/g, '');

/** Refers from each status that these errors have to its shared response. */
export const errorResponsesOf = (kinds: readonly FaultKind[]): JsonSchema =>
  Object.fromEntries(kinds.map(({ status }) => [status, { $ref: `#/components/responses/${nameOf(status)}` }]));

/** One response for each status of these errors, for all operations. */
export function sharedErrorResponses(kinds: readonly FaultKind[]): JsonSchema {
  const byStatus = new Map<number, FaultKind>();
  for (const kind of kinds) if (!byStatus.has(kind.status)) byStatus.set(kind.status, kind);
  return Object.fromEntries([...byStatus].sort().map(([status, kind]) => [nameOf(status), responseLike(kind)]));
}

const RETRY_AFTER = { description: 'How many seconds to wait before the next try.', schema: { type: 'integer' } };

function responseLike(kind: FaultKind): JsonSchema {
  const example = JSON.parse(problemResponse(new Fault(kind, kind.sentence), '0199a3c2f7d84c1e').body) as JsonSchema;
  return {
    description: `${STATUS_CODES[kind.status]}. \`x-codes\` of the operation lists the codes.`,
    ...(kind.status === 429 || kind.status === 503 ? { headers: { 'Retry-After': RETRY_AFTER } } : {}),
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' }, example } },
  };
}

/** Every error code with its status and what it means. */
export const codeTable = (kinds: readonly FaultKind[]): JsonSchema =>
  Object.fromEntries(kinds.map(({ code, status, sentence, hint }) => [code, { status, sentence, hint }]));
