import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** One request as it arrived. */
export interface Arrival {
  method: string;
  path: string;
  authorization: string;
  body: string;
}

type Responder = (request: Arrival, response: ServerResponse) => void;

const TOKEN = 'the-access-token-of-the-vendor';

const sendJson = (response: ServerResponse, status: number, value: unknown) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));

/** A vendor on loopback: an OAuth 2.0 token endpoint, an API behind it, and ways to misbehave by path. */
export class Vendor {
  readonly arrivals: Arrival[] = [];
  readonly clients = new Map<string, string>();
  /** How clients must authenticate; the other way is refused. */
  way: 'body' | 'basic' = 'body';
  readonly #paths = new Map<string, Responder>();
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => void this.#answer(request, response));
    this.on('/token', (arrival, response) => this.#issue(arrival, response));
    this.on('/api', ({ authorization }, response) => {
      const isKnown = authorization === `Bearer ${TOKEN}`;
      sendJson(response, isKnown ? 200 : 401, isKnown ? { data: {} } : { error: 'no' });
    });
  }

  static async start(): Promise<Vendor> {
    const vendor = new Vendor();
    await new Promise<void>((resolve) => vendor.#server.listen(0, '127.0.0.1', resolve));
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
    const arrival = { method, path: url, authorization: headers.authorization ?? '', body: await text(request) };
    this.arrivals.push(arrival);
    const respond = this.#paths.get(url);
    if (respond) respond(arrival, response);
    else sendJson(response, 404, {});
  }

  #issue({ method, authorization, body }: Arrival, response: ServerResponse): void {
    const form = new URLSearchParams(body);
    if (method !== 'POST' || form.get('grant_type') !== 'client_credentials')
      return void sendJson(response, 400, { error: 'unsupported_grant_type' });
    const [client, secret] =
      this.way === 'body' ? [form.get('client_id'), form.get('client_secret')] : basicOf(authorization);
    const isRight = typeof client === 'string' && typeof secret === 'string' && this.clients.get(client) === secret;
    if (isRight) sendJson(response, 200, { access_token: TOKEN, token_type: 'Bearer', expires_in: 60 });
    else sendJson(response, 401, { error: 'invalid_client' });
  }
}

/** Both halves are form-encoded before they are joined (RFC 6749, 2.3.1). */
function basicOf(header: string): (string | null)[] {
  const pair = Buffer.from(header.replace(/^Basic /, ''), 'base64').toString('utf8');
  return pair.split(':').map((half) => new URLSearchParams(`x=${half}`).get('x'));
}
