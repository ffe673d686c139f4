import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, Server as TcpServer } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { anonymousCaller } from '#kernel/auth/caller.ts';
import { HEADERS_TOO_LARGE, INTERNAL, MALFORMED_REQUEST } from '#kernel/contract/common-faults.ts';
import { type Fault, Outage } from '#kernel/contract/fault.ts';
import { usageHeaders } from '../limits/rate-limits.ts';
import type { ByteStream, IncomingRequest, OutgoingResponse } from '../message.ts';
import { faultsOf } from '../pipeline/fault-catalogue.ts';
import type { BoundOperation } from '../pipeline/group.ts';
import { type RequestTrace, respond, type ServerContext } from '../pipeline/pipeline.ts';
import { answerParseErrors } from './parse-errors.ts';
import { faultOf, problemResponse, scimErrorResponse } from './problem.ts';
import { type BodyTimeouts, DEFAULT_BODY_TIMEOUTS, RequestBody } from './request-body.ts';
import { requestIdOf } from './request-id.ts';
import type { RequestObserver } from './request-observer.ts';
import { requireSingletonHeaders } from './singleton-headers.ts';
import { disconnectIdleReader } from './slow-reader.ts';
import type { StaticPages } from './static-pages.ts';
import type { TrustedProxies } from './trusted-proxies.ts';

export interface HttpServerOptions {
  context: ServerContext;
  pages: StaticPages;
  proxies: TrustedProxies;
  observer: RequestObserver;
  version: string;
  bodyTimeouts?: BodyTimeouts;
  /** Ends the responses that have no end of their own. */
  onDrain?: () => void;
}

const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'strict-transport-security': 'max-age=31536000',
  'referrer-policy': 'no-referrer',
};

const MAX_HEADERS = 100;

/** The HTTP server: converts Node's request to an IncomingRequest, and the response to bytes. */
export class HttpServer {
  readonly #options: HttpServerOptions;
  readonly #server: Server;
  readonly #timeouts: BodyTimeouts;
  #isDraining = false;
  #lastRequestMs = 0;
  #connectionCount = 0;

  constructor(options: HttpServerOptions) {
    this.#options = options;
    this.#timeouts = options.bodyTimeouts ?? DEFAULT_BODY_TIMEOUTS;
    this.#server = createServer({
      maxHeaderSize: 16 * 1024,
      headersTimeout: 10_000,
      // An upload may take long, so RequestBody checks how fast the bytes of each body arrive.
      requestTimeout: 0,
      connectionsCheckingInterval: 2_000,
      keepAliveTimeout: 30_000,
      requireHostHeader: false,
    });
    this.#server.maxConnections = 10_000;
    // Node would drop the headers beyond a number silently; they are counted instead.
    this.#server.maxHeadersCount = 0;
    const handle = (request: IncomingMessage, response: ServerResponse) => void this.#handle(request, response);
    this.#server.on('connection', () => {
      this.#connectionCount++;
    });
    this.#server.on('request', handle);
    // The client is told to send its body only when a step of the pipeline reads it.
    this.#server.on('checkContinue', handle);
    answerParseErrors(this.#server, {
      headers: SECURITY_HEADERS,
      timeouts: this.#timeouts,
    });
  }

  async listen(host: string, port: number): Promise<AddressInfo> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, host, resolve);
    });
    return this.#server.address() as AddressInfo;
  }

  /** Stops accepting, closes each connection after its next response, and all that are left after the timeout. */
  async drain(timeoutMs: number): Promise<void> {
    const timer = setTimeout(() => this.#server.closeAllConnections(), timeoutMs);
    await this.#acceptBacklog(timeoutMs / 40);
    // No connection is closed before the listener is, or its client would reconnect to this server.
    this.#isDraining = true;
    this.#options.onDrain?.();
    // The close of http.Server would also end idle connections, on which an unread request may be under way.
    const closed = new Promise<void>((resolve) => void TcpServer.prototype.close.call(this.#server, () => resolve()));
    await this.#waitUntilQuiet({ forMs: timeoutMs / 40, atMostMs: timeoutMs / 4 });
    this.#server.close();
    await closed;
    clearTimeout(timer);
  }

  /** Accepts the connections in the backlog: one arrives with each turn of the event loop, until there is none. */
  async #acceptBacklog(atMostMs: number): Promise<void> {
    const start = performance.now();
    for (let before = -1; before !== this.#connectionCount && performance.now() - start < atMostMs; ) {
      before = this.#connectionCount;
      await nextTurn();
      await nextTurn();
    }
  }

  async #waitUntilQuiet({ forMs, atMostMs }: { forMs: number; atMostMs: number }): Promise<void> {
    const start = performance.now();
    const hasConnections = () =>
      new Promise<boolean>((resolve) => this.#server.getConnections((_, count) => resolve(count > 0)));
    const isLong = () => performance.now() - Math.max(start, this.#lastRequestMs) >= forMs;
    while (!isLong() && performance.now() - start < atMostMs && (await hasConnections())) {
      await sleep(forMs / 5);
      // Timers run before sockets: one more turn reads what arrived in the meantime.
      await nextTurn();
    }
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { context, observer } = this.#options;
    const start = performance.now();
    this.#lastRequestMs = start;
    const trace: RequestTrace = { caller: anonymousCaller };
    const requestId = requestIdOf(headerOf(request, 'x-request-id'));
    const body = new RequestBody(request, response, this.#timeouts);
    let outgoing: OutgoingResponse;
    try {
      const incoming = this.#incomingOf({ request, response, body, requestId });
      outgoing = this.#options.pages.find(incoming) ?? (await respond(context, incoming, trace));
    } catch (error) {
      const fault = declared(trace.bound, faultOf(error));
      observer.recordFailure({ error, fault, requestId, trace, address: this.#addressOf(request) });
      // Also for addresses that no operation has.
      const render = request.url?.startsWith('/scim/') ? scimErrorResponse : problemResponse;
      outgoing = render(fault, requestId);
    }
    const elapsedMs = performance.now() - start;
    this.#writeHead({ response, body, outgoing, trace, requestId, elapsedMs });
    disconnectIdleReader(response, this.#timeouts.responseMs);
    const { status, body: content } = outgoing;
    if (typeof content === 'string') body.end(request.method === 'HEAD' ? '' : content);
    else await this.#sendStream(content, { request, response, body, trace, requestId });
    observer.recordResponse({ method: request.method ?? '', status, trace, requestId, elapsedMs });
  }

  #addressOf(request: IncomingMessage): string {
    return this.#options.proxies.addressOf(request.socket.remoteAddress ?? '', headerOf(request, 'x-forwarded-for'));
  }

  #incomingOf({ request, response, body, requestId }: Omit<Exchange, 'trace'>): IncomingRequest {
    const target = request.url ?? '/';
    if (!target.startsWith('/') || target.length > 8192)
      throw MALFORMED_REQUEST({ reason: 'the target is not a path' });
    if (request.headers.host === undefined && request.httpVersion === '1.1')
      throw MALFORMED_REQUEST({ reason: 'the Host header is missing' });
    if (request.rawHeaders.length > 2 * MAX_HEADERS) throw HEADERS_TOO_LARGE();
    requireSingletonHeaders(request.rawHeaders);
    const queryStart = target.indexOf('?');
    return {
      method: request.method ?? '',
      pathname: queryStart === -1 ? target : target.slice(0, queryStart),
      rawQuery: queryStart === -1 ? '' : target.slice(queryStart + 1),
      header: (name) => headerOf(request, name),
      authorizations: authorizationsOf(request),
      address: this.#addressOf(request),
      requestId,
      get disconnected() {
        return disconnectionOf(response);
      },
      readBody: (limitBytes) => body.read(limitBytes),
      streamBody: (limitBytes) => body.stream(limitBytes),
    };
  }

  /**
   * Sends a stream as fast as the client reads it; a client that disconnects ends it, and an error cuts the connection.
   */
  async #sendStream(content: ByteStream, { request, response, body, trace, requestId }: Exchange): Promise<void> {
    body.release();
    try {
      await pipeline(request.method === 'HEAD' ? [] : content, response);
    } catch (error) {
      if (isStreamError(error)) return;
      this.#options.observer.recordFailure({
        error,
        fault: INTERNAL(),
        requestId,
        trace,
        address: this.#addressOf(request),
      });
    } finally {
      // A stream that is not read, such as that of a HEAD request, must not wait for a reader.
      if (content instanceof Readable) content.destroy();
    }
  }

  #writeHead(result: {
    response: ServerResponse;
    body: RequestBody;
    outgoing: OutgoingResponse;
    trace: RequestTrace;
    requestId: string;
    elapsedMs: number;
  }): void {
    const { response, body, outgoing, trace } = result;
    const operation = trace.bound?.operation;
    response.writeHead(outgoing.status, {
      ...SECURITY_HEADERS,
      ...(trace.limitUsage ? usageHeaders(trace.limitUsage) : {}),
      ...(operation ? { 'parapet-maturity': operation.maturity } : {}),
      ...outgoing.headers,
      ...(outgoing.cookies ? { 'set-cookie': [...outgoing.cookies] } : {}),
      ...(operation?.deprecated ? deprecationOf(operation.deprecated, outgoing.headers['link']) : {}),
      'x-request-id': result.requestId,
      // Strangers get neither the version, which tells known holes, nor exact times, which tell what was computed.
      ...(trace.caller.kind === 'nobody'
        ? {}
        : {
            'parapet-version': this.#options.version,
            'server-timing': `total;dur=${result.elapsedMs.toFixed(1)}`,
          }),
      ...lengthOf(outgoing),
      ...(body.closesConnection || this.#isDraining ? { connection: 'close' } : {}),
    });
  }
}

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  body: RequestBody;
  trace: RequestTrace;
  requestId: string;
}

/** Made only for the requests that need it: most are answered before a client could disconnect. */
function disconnectionOf(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  const abort = () => {
    if (!response.writableFinished) controller.abort(new Outage('client', 'it has disconnected'));
  };
  if (response.destroyed) abort();
  else response.once('close', abort);
  return controller.signal;
}

/** True when the client disconnected; an error of the source has another code. */
const isStreamError = (error: unknown) => String((error as { code?: unknown }).code).startsWith('ERR_STREAM_');

/** A 204 has no content; the length of a stream is known only at its end. */
const lengthOf = ({ status, body }: OutgoingResponse): Record<string, number> =>
  status === 204 || typeof body !== 'string' ? {} : { 'content-length': Buffer.byteLength(body) };

/** A fault that the operation does not declare is a defect of the server, and is answered as INTERNAL. */
const declared = (bound: BoundOperation | undefined, fault: Fault): Fault =>
  bound === undefined || faultsOf(bound).has(fault.kind.code) ? fault : INTERNAL();

/** The headers of a deprecated operation; a Link header that the response has already, such as `next`, is kept. */
function deprecationOf({ since, successor }: { since: string; successor?: string }, link = ''): Record<string, string> {
  const links = [link, successor ? `<${successor}>; rel="successor-version"` : ''].filter((text) => text !== '');
  return {
    deprecation: `@${Math.floor(Date.parse(since) / 1000)}`,
    ...(links.length > 0 ? { link: links.join(', ') } : {}),
  };
}

function headerOf(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

/** All Authorization headers, because Node keeps only the first of several and several are a fault. */
function authorizationsOf({ rawHeaders }: IncomingMessage): string[] {
  const found: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]?.toLowerCase() === 'authorization') found.push(rawHeaders[index + 1] ?? '');
  return found;
}
