import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { OauthServer } from './oauth-server.ts';

/** One received request. */
export interface ReceivedRequest {
  method: string;
  path: string;
  type: string;
  authorization: string;
  body: string;
}

type Responder = (request: ReceivedRequest, response: ServerResponse) => void;

const sendJson = (response: ServerResponse, status: number, value: unknown) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));

/** The servers of a vendor on loopback: they record all requests, and misbehave by path. */
export class FakeVendor {
  readonly arrivals: ReceivedRequest[] = [];
  readonly #paths = new Map<string, Responder>();
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  static async start(): Promise<FakeVendor> {
    const vendor = new FakeVendor();
    await new Promise<void>((resolve) => vendor.#server.listen(0, '127.0.0.1', resolve));
    return vendor;
  }

  /** A vendor whose `/token` is a real OAuth 2.0 server, and whose `/api` accepts the tokens of that server. */
  static async startBefore(oauth: OauthServer): Promise<FakeVendor> {
    const vendor = await FakeVendor.start();
    vendor.on('/token', (arrival, response) => void forward(arrival, oauth.tokenUrl, response));
    vendor.on('/api', ({ authorization }, response) => {
      void oauth.accepts(authorization).then((isKnown) => sendJson(response, isKnown ? 200 : 401, {}));
    });
    return vendor;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  urlOf(path: string): string {
    return `http://127.0.0.1:${this.port}${path}`;
  }

  on(path: string, responder: Responder): void {
    this.#paths.set(path, responder);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request;
    const { 'content-type': type = '', authorization = '' } = headers;
    const arrival = { method, path: url, type, authorization, body: await text(request) };
    this.arrivals.push(arrival);
    const respond = this.#paths.get(url);
    if (respond) respond(arrival, response);
    else sendJson(response, 404, {});
  }
}

async function forward({ method, type, authorization, body }: ReceivedRequest, url: string, response: ServerResponse) {
  const headers = { 'content-type': type, ...(authorization === '' ? {} : { authorization }) };
  const answer = await fetch(url, { method, headers, ...(method === 'POST' ? { body } : {}) });
  const kind = answer.headers.get('content-type') ?? '';
  response.writeHead(answer.status, { 'content-type': kind }).end(await answer.text());
}
