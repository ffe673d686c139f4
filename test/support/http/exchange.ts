import assert from 'node:assert/strict';
import { Agent, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { essenceOf } from '#kernel/http/request/media-type.ts';
import { isObject } from './schema-description.ts';

export interface TestRequest {
  method: string;
  target: string;
  /** A list sends the header once for each value. */
  headers?: Record<string, string | string[]>;
  body?: string | Uint8Array | undefined;
  /** Content types that the reply may have instead of JSON. */
  rawTypes?: readonly string[] | undefined;
}

export interface TestResponse {
  status: number;
  headers: Record<string, string>;
  text: string;
  /** The body parsed as JSON; empty if it is not JSON. */
  json: Record<string, unknown>;
}

const agent = new Agent({ keepAlive: true, maxSockets: 32 });

/** Sends exactly this request, unlike `fetch`, and checks the headers of the response. */
export async function sendRequest(baseUrl: string, sent: TestRequest): Promise<TestResponse> {
  const { hostname, port } = new URL(baseUrl);
  const { method, target, headers = {}, body } = sent;
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const message = await new Promise<IncomingMessage>((resolve, reject) => {
    const outgoing = request({ agent, hostname, port, method, path: target, headers: { ...length, ...headers } });
    outgoing.once('response', resolve).once('error', reject).end(body);
  });
  const answer = answerOf(message, await textOf(message));
  assert.deepEqual(hardeningProblems(answer, sent.rawTypes), [], `${method} ${target}`);
  return answer;
}

async function textOf(message: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of message as AsyncIterable<Uint8Array>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

function answerOf(message: IncomingMessage, text: string): TestResponse {
  const headers = Object.fromEntries(
    Object.entries(message.headers).map(([name, value]) => [name, [value].flat().join(', ')]),
  );
  const status = message.statusCode ?? 0;
  return { status, headers, text, json: headers['x-error-code'] ? problemOf(headers, jsonOf(text)) : jsonOf(text) };
}

/** An error of SCIM, which has fewer members, in the form of all others; its own form is checked here. */
function problemOf(headers: Record<string, string>, scim: Record<string, unknown>): Record<string, unknown> {
  const { schemas, status, detail, scimType, ...others } = scim;
  assert.deepEqual([schemas, others], [['urn:ietf:params:scim:api:messages:2.0:Error'], {}]);
  const [code, requestId] = [headers['x-error-code'], headers['x-request-id']];
  const described = { type: `/docs/errors#${code}`, title: '', code, instance: `urn:request:${requestId}`, requestId };
  return { ...described, status: Number(status), detail, error: detail, errors: [], hint: '', scimType };
}

export function jsonOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

export const HARDENING_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'strict-transport-security': 'max-age=31536000',
  'referrer-policy': 'no-referrer',
};

/** Missing headers that every response of the API must have (HTP-08). */
export function hardeningProblems(
  { headers, status }: Pick<TestResponse, 'headers'> & { status?: number },
  rawTypes: readonly string[] = [],
): string[] {
  const type = headers['content-type'] ?? '';
  const isRaw = rawTypes.includes(essenceOf(type));
  const isTyped =
    isRaw || status === 204 || status === 303 || /^application\/(problem\+|scim\+)?json; charset=utf-8$/.test(type);
  // A page may have a weaker policy, but must list each allowed source.
  const isHard = (name: string, value: string) =>
    headers[name] === value ||
    (isRaw && name === 'content-security-policy' && headers[name]?.startsWith("default-src 'none'"));
  return [
    ...Object.entries(HARDENING_HEADERS)
      .filter(([name, value]) => !isHard(name, value))
      .map(([name]) => `${name} is ${headers[name]}`),
    ...(isTyped ? [] : [`content-type is ${headers['content-type']}`]),
    ...['server', 'x-powered-by'].filter((name) => name in headers).map((name) => `${name} is there`),
    ...(/^[\w-]{8,64}$/.test(headers['x-request-id'] ?? '') ? [] : ['x-request-id is missing']),
  ];
}

/** Headers that differ between any two responses. */
const PASSING = ['date', 'x-request-id', 'server-timing', 'ratelimit', 'ratelimit-policy', 'connection', 'keep-alive'];

/** Headers that must be equal if two responses must be indistinguishable. */
export const comparableHeaders = ({ headers }: TestResponse): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !PASSING.includes(name)));

/** Writes raw bytes to the server and reads until it closes, for requests that no client would send. */
export function sendRawBytes(baseUrl: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes, 'latin1'));
    let received = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      received += chunk;
    });
    socket.setTimeout(5000, () => socket.destroy(new Error(`The server keeps the connection open: ${received}`)));
    socket.once('error', reject).once('close', () => resolve(received));
  });
}
