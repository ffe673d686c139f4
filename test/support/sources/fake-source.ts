import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface SourceRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  body: Record<string, unknown>;
}

/** A system on loopback that answers reads as its documentation says. A subclass has its routes. */
export abstract class FakeSource {
  readonly requests: SourceRequest[] = [];
  /** Answers to the next requests instead of the right ones. */
  readonly faults: { status: number; headers?: Record<string, string> }[] = [];
  readonly #server: Server;

  constructor(authorization: string) {
    this.#server = createServer((incoming, response) => {
      void text(incoming).then((body) => {
        const url = new URL(incoming.url ?? '/', 'http://127.0.0.1');
        const request = {
          ...{ method: incoming.method ?? '', path: decodeURIComponent(url.pathname), query: url.searchParams },
          body: body === '' ? {} : (JSON.parse(body) as Record<string, unknown>),
        };
        this.requests.push(request);
        const fault = this.faults.shift();
        const isKnown = incoming.headers.authorization === authorization;
        const answer = fault || !isKnown ? undefined : this.respond(request);
        const status = fault?.status ?? (isKnown ? (answer === undefined ? 404 : 200) : 401);
        response.writeHead(status, { 'content-type': 'application/json', ...fault?.headers });
        response.end(JSON.stringify(answer ?? { error: `status ${status}` }));
      });
    });
  }

  /** The body of the reply; undefined for what does not exist. */
  protected abstract respond(request: SourceRequest): object | undefined;

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}
