import assert from 'node:assert/strict';
import { z } from 'zod';
import { operationUrl } from '#kernel/contract/client.ts';
import type { ExampleCall } from '#kernel/http/openapi/example-calls.ts';
import type { BoundOperation } from '#kernel/http/pipeline/group.ts';
import { essenceOf } from '#kernel/http/request/media-type.ts';
import { contentOf } from './content.ts';
import { sendRequest, type TestResponse } from './exchange.ts';
import { documentedResponse } from './operations.ts';
import { schemaViolations } from './schema-description.ts';

const Problem = z.looseObject({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  instance: z.string(),
  code: z.string().regex(/^[A-Z][A-Z0-9_]+$/),
  requestId: z.string(),
  errors: z.array(z.strictObject({ pointer: z.string(), code: z.string(), detail: z.string() })),
  hint: z.string(),
  error: z.string(),
});

/** What no message to a caller may contain: stack traces, file names and SQL of the server. */
const INTERNALS =
  /\bat .+\.[jt]s:\d+|node_modules|\/src\/|\b(select|insert into|update) .+ (from|values|set) |SQLSTATE/i;

/** Problems with the rendering of an error (ERR-01). */
export function errorBodyProblems({ status, headers, json, text }: TestResponse): string[] {
  const parsed = Problem.safeParse(json);
  if (!parsed.success) return parsed.error.issues.map(({ path, message }) => `problem/${path.join('/')}: ${message}`);
  const problem = parsed.data;
  const facts: [isTrue: boolean, otherwise: string][] = [
    [problem.status === status, `the member status is ${problem.status}`],
    [problem.type === `/docs/errors#${problem.code}`, `type is ${problem.type}`],
    [problem.requestId === headers['x-request-id'], 'requestId differs from the header'],
    [problem.instance === `urn:request:${problem.requestId}`, `instance is ${problem.instance}`],
    [problem.error === problem.detail, 'error differs from detail'],
    [!INTERNALS.test(text), `the text shows internals: ${text}`],
    [(status === 401) === (headers['www-authenticate'] === 'Bearer'), 'www-authenticate must be sent exactly with 401'],
    [status !== 429 || 'retry-after' in headers, 'retry-after is missing'],
  ];
  return facts.flatMap(([isTrue, otherwise]) => (isTrue ? [] : [otherwise]));
}

/** An empty reply has no content type, and a reply that is not JSON declares its own charset. */
function isDocumentedType(
  { operation }: BoundOperation,
  documented: readonly string[],
  { status, headers }: TestResponse,
): boolean {
  const given = headers['content-type'];
  if (documented.length === 0) return given === undefined;
  if (operation.raw && status < 400) return documented.includes(essenceOf(given));
  return documented.some((type) => given === `${type}; charset=utf-8`);
}

const isDeclared = ({ status: usual, otherStatus }: BoundOperation['operation'], status: number) =>
  status === usual || status === otherStatus;

/** Where a response violates the contract or the OpenAPI document, one sentence each. */
export function contractViolations(bound: BoundOperation, answer: TestResponse): string[] {
  const { operation } = bound;
  const { status, headers, json } = answer;
  const documented = documentedResponse(bound, status);
  if (!documented) return [`status ${status} ${json['code'] ?? ''} is not documented`];
  const { maturity, deprecated } = operation;
  const since = deprecated && `@${Math.floor(Date.parse(deprecated.since) / 1000)}`;
  const facts: [isTrue: boolean, otherwise: string][] = [
    [isDocumentedType(bound, documented.contentTypes, answer), `content-type ${headers['content-type']}`],
    [headers['parapet-maturity'] === maturity, `maturity is ${headers['parapet-maturity']}, declared ${maturity}`],
    [headers['deprecation'] === since, `deprecation is ${headers['deprecation']}`],
    [status >= 303 || isDeclared(operation, status), `status ${status} is not the declared ${operation.status}`],
    [status < 400 || documented.codes.includes(String(json['code'])), `code ${json['code']} is not documented`],
  ];
  return [
    ...facts.flatMap(([isTrue, otherwise]) => (isTrue ? [] : [otherwise])),
    ...(status < 400 ? replyProblems(bound, answer) : errorBodyProblems(answer)),
  ];
}

function replyProblems({ operation }: BoundOperation, { text, json }: TestResponse): string[] {
  if (operation.raw) return [];
  if (operation.status === 204) return text === '' ? [] : ['a reply without content has content'];
  const parsed = operation.reply.safeParse(json);
  const wrong = parsed.error?.issues.map(({ path, message }) => `#/${path.join('/')}: ${message}`) ?? [];
  return [...schemaViolations(operation.reply, json), ...wrong];
}

export interface CheckedCall extends ExampleCall {
  token?: string | undefined;
  headers?: Record<string, string | string[]> | undefined;
  /** Sent verbatim instead of the body. */
  raw?: string | undefined;
}

/** Calls an operation and checks the response against the contract. */
export async function callChecked(baseUrl: string, bound: BoundOperation, call: CheckedCall): Promise<TestResponse> {
  const { operation } = bound;
  const target = operationUrl(operation, call.path ?? {}, call.query);
  const content = contentOf(operation, call);
  const answer = await sendRequest(baseUrl, {
    method: operation.method,
    target,
    headers: {
      ...(call.token === undefined ? {} : { authorization: `Bearer ${call.token}` }),
      ...content.headers,
      ...call.headers,
    },
    body: content.body,
    rawTypes: operation.raw?.types,
  });
  const problems = contractViolations(bound, answer);
  assert.deepEqual(
    problems,
    [],
    `${operation.method} ${target} ${call.raw ?? JSON.stringify(call.body)}: ${answer.text}`,
  );
  return answer;
}

/** Status and code in one text, for readable assertion errors. */
export const statusAndCode = ({ status, json }: TestResponse): string =>
  status < 400 ? String(status) : `${status} ${json['code']}`;
