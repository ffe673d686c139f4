import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { percentile } from './figure.ts';

export interface LoadRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
}

export interface Job extends LoadRequest {
  baseUrl: string;
  connections: number;
  durationMs: number;
  /** Each connection waits this long before its next request; 0 sends as fast as replies arrive. */
  pauseMs?: number;
  /** Sent in turn with the first one. */
  others?: readonly LoadRequest[];
}

export interface Measured {
  requests: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Replies with a status other than 200. */
  failures: number;
}

const END_OF_HEAD = Buffer.from('\r\n\r\n');

/** Sends requests over one connection, each after the last reply. Plain sockets use less CPU than an HTTP client. */
class Connection {
  readonly latenciesMs: number[] = [];
  failures = 0;
  readonly #requests: readonly Buffer[];
  readonly #socket: Socket;
  readonly #pauseMs: number;
  #next: number;
  #deadline: number;
  #missing = 0;
  #head: Buffer = Buffer.alloc(0);
  #askedAt = 0;

  constructor(job: Job, requests: readonly Buffer[], first: number) {
    const { hostname, port } = new URL(job.baseUrl);
    this.#requests = requests;
    this.#next = first;
    this.#pauseMs = job.pauseMs ?? 0;
    this.#deadline = performance.now() + job.durationMs;
    this.#socket = connect({ host: hostname, port: Number(port), noDelay: true });
  }

  async run(): Promise<void> {
    await once(this.#socket, 'connect');
    this.#socket.on('data', (chunk: Buffer) => this.#read(chunk));
    this.#ask();
    await once(this.#socket, 'close');
  }

  stop(): void {
    this.#deadline = 0;
  }

  #ask(): void {
    this.#askedAt = performance.now();
    this.#socket.write(this.#requests[this.#next++ % this.#requests.length] ?? '');
  }

  #read(chunk: Buffer): void {
    if (this.#missing > 0) this.#missing -= chunk.length;
    else {
      this.#head = this.#head.length === 0 ? chunk : Buffer.concat([this.#head, chunk]);
      const end = this.#head.indexOf(END_OF_HEAD);
      if (end === -1) return;
      const head = this.#head.toString('latin1', 0, end);
      if (!head.startsWith('HTTP/1.1 200 ')) this.failures++;
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
      this.#missing = end + END_OF_HEAD.length + length - this.#head.length;
      this.#head = Buffer.alloc(0);
    }
    if (this.#missing === 0) this.#answered();
  }

  #answered(): void {
    const now = performance.now();
    this.latenciesMs.push(now - this.#askedAt);
    if (now >= this.#deadline) this.#socket.end();
    else if (this.#pauseMs === 0) this.#ask();
    else setTimeout(() => this.#ask(), this.#pauseMs);
  }
}

let stop: () => void = () => undefined;

function textOf({ method, path, headers, body }: LoadRequest, baseUrl: string): Buffer {
  const head = [
    `${method} ${path} HTTP/1.1`,
    `host: ${new URL(baseUrl).host}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `content-length: ${Buffer.byteLength(body)}`,
  ];
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`);
}

async function run(job: Job): Promise<Measured> {
  const requests = [job, ...(job.others ?? [])].map((request) => textOf(request, job.baseUrl));
  const start = performance.now();
  const connections = Array.from({ length: job.connections }, (_, first) => new Connection(job, requests, first));
  stop = () => {
    for (const connection of connections) connection.stop();
  };
  await Promise.all(connections.map((connection) => connection.run()));
  const seconds = (performance.now() - start) / 1000;
  const latenciesMs = connections.flatMap((connection) => connection.latenciesMs);
  return {
    requests: latenciesMs.length,
    perSecond: latenciesMs.length / seconds,
    p50Ms: percentile(latenciesMs, 50),
    p99Ms: percentile(latenciesMs, 99),
    failures: connections.reduce((sum, connection) => sum + connection.failures, 0),
  };
}

/** A load generator in its own process, so that it shares no event loop with the server it measures. */
export function startGenerator() {
  const child = fork(fileURLToPath(import.meta.url), ['generate']);
  return {
    async run(job: Job): Promise<Measured> {
      child.send(job);
      const [measured] = (await once(child, 'message')) as [Measured];
      return measured;
    },
    /** For a load that runs until something else is finished. */
    endJob: () => void child.send('end'),
    stop: () => child.disconnect(),
  };
}

if (process.argv[2] === 'generate')
  process.on('message', (job: Job | 'end') => {
    if (job === 'end') stop();
    else void run(job).then((measured) => process.send?.(measured));
  });
