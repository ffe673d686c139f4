import { request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { EgressFailure, errorCodeOf } from '#kernel/outbound/egress-failure.ts';
import { readResponseBody } from '#kernel/outbound/response-body.ts';
import type { EgressTarget } from '#kernel/outbound/target.ts';

const MAX_HEADERS_LENGTH = 16_384;

export type EgressReply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
};

/** A response whose body arrives while it is read. */
export type EgressStream = Omit<EgressReply, 'body'> & { readonly body: AsyncIterable<Buffer> };

export type EgressExchange = {
  readonly target: EgressTarget;
  readonly addresses: readonly string[];
  readonly method: string;
  readonly headers: OutgoingHttpHeaders;
  readonly body: string | Uint8Array | undefined;
  readonly maxBytes: number;
  readonly isRedirectAnswered: boolean;
  readonly connectTimeoutMs: number;
  readonly ca: readonly string[] | undefined;
  readonly signal: AbortSignal;
};

/** Sends one request to addresses that were checked before, and passes the response on while it arrives. */
export async function streamExchange<Result>(
  exchange: EgressExchange,
  consume: (stream: EgressStream) => Promise<Result>,
): Promise<Result> {
  const response = await send(exchange);
  try {
    const status = Number(response.statusCode);
    const isRedirect = status >= 300 && status < 400;
    if (isRedirect && !exchange.isRedirectAnswered) throw new EgressFailure('redirect', String(status));
    return await consume({ status, headers: plainHeaders(response), body: bodyOf(exchange, response, status) });
  } finally {
    response.destroy();
  }
}

/** Reads a response completely. */
export async function readWhole({ status, headers, body }: EgressStream): Promise<EgressReply> {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return { status, headers, body: Buffer.concat(chunks) };
}

async function* bodyOf(
  { method, maxBytes, signal }: EgressExchange,
  response: IncomingMessage,
  status: number,
): AsyncGenerator<Buffer> {
  if (method === 'HEAD' || status === 204 || status === 304) return;
  try {
    yield* readResponseBody(response, maxBytes);
  } catch (error) {
    throw failureOf(error, 'bad_response', signal);
  }
}

function send(exchange: EgressExchange): Promise<IncomingMessage> {
  const { target, signal } = exchange;
  return new Promise((resolve, reject) => {
    let reason: 'unreachable' | 'tls' | 'bad_response' = 'unreachable';
    const request = (target.isTls ? httpsRequest : httpRequest)(optionsOf(exchange));
    const timer = setTimeout(() => request.destroy(new EgressFailure('timeout', 'CONNECT')), exchange.connectTimeoutMs);
    const markReady = () => {
      clearTimeout(timer);
      reason = 'bad_response';
    };
    const markConnected = () => {
      if (target.isTls) reason = 'tls';
      else markReady();
    };
    request.once('socket', (socket) => socket.once('connect', markConnected).once('secureConnect', markReady));
    request.once('response', resolve);
    request.on('error', (error) => reject(failureOf(error, reason, signal)));
    request.once('close', () => {
      clearTimeout(timer);
      reject(new EgressFailure('bad_response', 'CLOSED'));
    });
    request.end(exchange.body);
  });
}

function optionsOf({ target, addresses, method, headers, ca, signal }: EgressExchange) {
  const { host, port, path, isLiteral } = target;
  return {
    ...{ host, port, path, method, headers, signal },
    // Without an agent, no connection is reused without a check, and no proxy of the environment applies.
    agent: false as const,
    // Node then tries all addresses, so that an unreachable one does not hide the others.
    autoSelectFamily: true,
    lookup: pinnedTo(addresses),
    maxHeaderSize: MAX_HEADERS_LENGTH,
    insecureHTTPParser: false,
    servername: isLiteral ? '' : host,
    rejectUnauthorized: true,
    minVersion: 'TLSv1.2' as const,
    ...(ca && { ca: [...ca] }),
  };
}

function pinnedTo(addresses: readonly string[]): LookupFunction {
  const answers = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_host, _options, callback) => callback(null, answers);
}

function plainHeaders(response: IncomingMessage): Record<string, string> {
  const entries = Object.entries(response.headers);
  return Object.fromEntries(entries.map(([name, value]) => [name, [value].flat().join(', ')]));
}

// Only the code of an error is kept, because Node's errors contain host names, certificates and bytes of the response.
function failureOf(error: unknown, reason: 'unreachable' | 'tls' | 'bad_response', signal: AbortSignal): unknown {
  if (error instanceof EgressFailure) return error;
  if (signal.aborted) return signal.reason;
  const code = errorCodeOf(error);
  if (code === 'HPE_HEADER_OVERFLOW') return new EgressFailure('too_large', code);
  return new EgressFailure(/^(ERR_SSL|ERR_TLS|EPROTO)/.test(code) ? 'tls' : reason, code);
}
