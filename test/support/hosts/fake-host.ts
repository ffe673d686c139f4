import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export const HOST_TOKEN = 'a-token-of-the-test';

export interface HostCall {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
}

export interface HostAnswer {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
}

/** What goes wrong with a request. `isAfter` means after the host did what was asked. */
export interface HostFault {
  matches: (call: HostCall) => boolean;
  status: number;
  headers?: Record<string, string>;
  isAfter?: boolean;
}

export interface FakeRepository {
  id: number;
  /** The whole path. */
  name: string;
  branch: string;
  isPrivate: boolean;
  isArchived: boolean;
  topics: string[];
}

export interface FakePull {
  repository: number;
  number: number;
  title: string;
  state: 'open' | 'closed' | 'merged';
  sha: string;
}

export interface FakeHook {
  id: number;
  /** The path of the API that it was made at. */
  place: string;
  url: string;
  secret: string;
}

/** A code host on loopback with repositories, pages, webhooks and faults. A subclass speaks the API of one product. */
export abstract class FakeHost {
  readonly calls: HostCall[] = [];
  readonly repositories: FakeRepository[] = [];
  readonly pulls: FakePull[] = [];
  readonly hooks: FakeHook[] = [];
  /** The organization or group. */
  organization = 'acme';
  token = HOST_TOKEN;
  pageSize = 2;
  /** Repositories that lists leave out, as when one moves between pages while they are read. */
  readonly skipped = new Set<FakeRepository>();
  readonly #faults: HostFault[] = [];
  readonly #server: Server;
  #serial = 100;

  protected constructor() {
    this.#server = createServer((incoming, response) => {
      void text(incoming).then((body) => {
        const url = new URL(incoming.url ?? '/', this.url);
        const call = {
          ...{ method: incoming.method ?? '', path: decodeURIComponent(url.pathname), query: url.searchParams },
          ...{ headers: incoming.headers, body: body === '' ? {} : (JSON.parse(body) as Record<string, unknown>) },
        };
        this.calls.push(call);
        this.#answer(call, response);
      });
    });
  }

  protected abstract respond(call: HostCall): HostAnswer;
  /** The body of a connection to it. */
  abstract readonly settings: { type: string; provider: string };

  async listen(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  addRepository(name: string, more: Partial<FakeRepository> = {}): FakeRepository {
    const made = {
      ...{ id: this.nextId(), name, branch: 'main', isPrivate: true, isArchived: false, topics: [] },
      ...more,
    };
    this.repositories.push(made);
    return made;
  }

  fail(fault: HostFault): void {
    this.#faults.push(fault);
  }

  nextId(): number {
    this.#serial += 1;
    return this.#serial;
  }

  protected ofOrganization(): FakeRepository[] {
    return this.repositories.filter((one) => one.name.startsWith(`${this.organization}/`) && !this.skipped.has(one));
  }

  protected byId(id: string): FakeRepository | undefined {
    return this.repositories.find((one) => one.id === Number(id));
  }

  /** One page, and the number of the next one. */
  protected page<Item>(items: readonly Item[], { query }: HostCall): { items: Item[]; next: number | undefined } {
    const page = Number(query.get('page') ?? '1');
    const end = page * this.pageSize;
    return { items: items.slice(end - this.pageSize, end), next: end < items.length ? page + 1 : undefined };
  }

  protected linkOf(call: HostCall, next: number | undefined): Record<string, string> {
    if (next === undefined) return {};
    const query = new URLSearchParams(call.query);
    query.set('page', String(next));
    return { link: `<${this.url}${call.path}?${query}>; rel="next"` };
  }

  #answer(call: HostCall, response: ServerResponse): void {
    const index = this.#faults.findIndex(({ matches }) => matches(call));
    const [fault] = index === -1 ? [] : this.#faults.splice(index, 1);
    const answer = !fault || fault.isAfter === true ? this.respond(call) : { status: 200 };
    if (fault) {
      response.writeHead(fault.status, fault.headers).end('{"message": "A fault of the test."}');
      return;
    }
    const body = answer.body === undefined ? '' : JSON.stringify(answer.body);
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers }).end(body);
  }
}
