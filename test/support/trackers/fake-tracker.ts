import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface TrackerRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
}

export interface TrackerAnswer {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
}

/** What goes wrong with a request. `isAfter` means after the tracker did what was asked. */
export type TrackerFault =
  | { kind: 'answer'; status: number; headers?: Record<string, string>; isAfter?: boolean }
  | { kind: 'drop'; isAfter?: boolean }
  | { kind: 'hang'; isAfter?: boolean }
  | { kind: 'garbage'; isAfter?: boolean };

/** A ticket of a tracker, as tests look at it. */
export interface FakeTicket {
  name: string;
  title: string;
  text: string;
  isOpen: boolean;
  comments: string[];
}

/** A tracker on loopback with state and faults. A subclass speaks the protocol of one product. */
export abstract class FakeTracker {
  readonly requests: TrackerRequest[] = [];
  readonly #faults: { matches: (request: TrackerRequest) => boolean; fault: TrackerFault }[] = [];
  readonly #server: Server;
  /** Refuses every token. */
  isRevoked = false;

  protected constructor() {
    this.#server = createServer((incoming, response) => {
      void text(incoming).then((body) => {
        const url = new URL(incoming.url ?? '/', 'http://127.0.0.1');
        const request = {
          ...{ method: incoming.method ?? '', path: decodeURIComponent(url.pathname), query: url.searchParams },
          ...{ headers: incoming.headers, body: body === '' ? {} : (JSON.parse(body) as Record<string, unknown>) },
        };
        this.requests.push(request);
        this.#answer(request, response);
      });
    });
  }

  abstract readonly tickets: FakeTicket[];
  protected abstract respond(request: TrackerRequest): TrackerAnswer;
  /** True for the request that opens a ticket. */
  abstract isCreation(request: TrackerRequest): boolean;

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get siteUrl(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** The next creations get these faults, one each. */
  failCreations(...faults: TrackerFault[]): void {
    for (const fault of faults) this.#faults.push({ matches: (request) => this.isCreation(request), fault });
  }

  /** The next requests of any kind get these faults. */
  fail(...faults: TrackerFault[]): void {
    for (const fault of faults) this.#faults.push({ matches: () => true, fault });
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #answer(request: TrackerRequest, response: ServerResponse): void {
    const index = this.#faults.findIndex(({ matches }) => matches(request));
    const [taken] = index === -1 ? [] : this.#faults.splice(index, 1);
    const fault = taken?.fault;
    const isDone = !fault || fault.isAfter === true;
    const answer = this.isRevoked ? { status: 401, body: {} } : isDone ? this.respond(request) : { status: 200 };
    if (!fault) {
      const body = answer.body === undefined ? '' : JSON.stringify(answer.body);
      response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers }).end(body);
      return;
    }
    if (fault.kind === 'hang') return;
    if (fault.kind === 'drop') response.socket?.destroy();
    else if (fault.kind === 'garbage') response.writeHead(201).end('<html>Sign in</html>');
    else response.writeHead(fault.status, fault.headers).end('{"message": "A fault of the test."}');
  }
}
