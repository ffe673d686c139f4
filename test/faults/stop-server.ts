import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { type Campaign, type CampaignOptions, type FaultFigure, randomFrom, sleep } from './campaign.ts';
import { Installation } from './installation.ts';
import { prepareWriters } from './writers.ts';

const CLIENTS = 16;
const PER_SECOND = 300;
const LOAD_MIN_MS = 300;
const LOAD_MAX_MS = 700;
const EXIT_WITHIN_MS = 10_000;

interface Totals {
  answered: number;
  slowestMs: number;
  failed: string[];
  dirty: string[];
}

/** Stops the server while requests run: each request gets a reply, and PostgreSQL shuts down cleanly. */
export const stopServer: Campaign = {
  defaultCycles: 20,
  async run(options: CampaignOptions): Promise<FaultFigure[]> {
    const installation = await Installation.make();
    const totals: Totals = { answered: 0, slowestMs: 0, failed: [], dirty: [] };
    try {
      await runCycles(installation, options, totals);
    } finally {
      await installation.remove();
    }
    const { answered, slowestMs, failed, dirty } = totals;
    return [
      {
        id: 'F05 stop-server',
        wanted:
          `0 failed requests in flight, exit within ${EXIT_WITHIN_MS} ms, ` +
          `PostgreSQL clean, in ${options.cycles} stops`,
        reached:
          `${failed.length} failed of ${answered + failed.length}, slowest exit ${Math.round(slowestMs)} ms, ` +
          `${dirty.length} not clean, in ${options.cycles} stops`,
        isReached: failed.length === 0 && dirty.length === 0 && slowestMs <= EXIT_WITHIN_MS && answered > 0,
        details: [...failed, ...dirty],
      },
    ];
  },
};

async function runCycles(
  installation: Installation,
  { cycles, seed, say }: CampaignOptions,
  totals: Totals,
): Promise<void> {
  const random = randomFrom(seed);
  const first = await installation.start();
  const ground = await prepareWriters(installation, first.baseUrl, 1);
  await first.end('SIGTERM');
  for (let cycle = 1; cycle <= cycles; cycle++) {
    const program = await installation.start();
    const request = requestOf(program.baseUrl, ground);
    const clients = Array.from({ length: CLIENTS }, () => new Client(program.baseUrl, request));
    const running = clients.map((client) => client.run());
    const loadMs = LOAD_MIN_MS + random() * (LOAD_MAX_MS - LOAD_MIN_MS);
    await sleep(loadMs);
    const { result, ms } = await program.end('SIGTERM');
    await Promise.all(running);
    totals.slowestMs = Math.max(totals.slowestMs, ms);
    totals.answered += clients.reduce((sum, client) => sum + client.answered, 0);
    totals.failed.push(
      ...clients.flatMap((client) =>
        client.failed.map((failure) => `stop ${cycle} after ${Math.round(loadMs)} ms: ${failure}`),
      ),
    );
    if (result !== 0) totals.dirty.push(`stop ${cycle}: the program ended with ${result}`);
    if (await installation.postmaster()) totals.dirty.push(`stop ${cycle}: PostgreSQL still runs`);
    if (cycle % 5 === 0) say(`${cycle} stops, ${totals.answered} answers`);
  }
  // PostgreSQL logs at the next start if the last shutdown was not clean.
  const log = await readFile(join(installation.folder, 'postgres.log'), 'utf8');
  for (const line of log.split('\n'))
    if (/not properly shut down|was interrupted/.test(line)) totals.dirty.push(line.trim());
}

const requestOf = (baseUrl: string, { deployment, token }: { deployment: string; token: string }) =>
  [
    `GET /api/permissions/v2/deployments/${deployment}/status HTTP/1.1`,
    `host: ${new URL(baseUrl).host}`,
    `authorization: Bearer ${token}`,
    '\r\n',
  ].join('\r\n');

/** Sends requests at a fixed rate over one connection, and opens another when the server closes it. */
class Client {
  answered = 0;
  readonly failed: string[] = [];
  readonly #target: { host: string; port: number };
  readonly #request: string;

  constructor(baseUrl: string, request: string) {
    const { hostname, port } = new URL(baseUrl);
    this.#target = { host: hostname, port: Number(port) };
    this.#request = request;
  }

  /** Runs until no connection can be opened. */
  async run(): Promise<void> {
    for (;;) {
      const socket = connect({ ...this.#target, noDelay: true });
      const isConnected = await new Promise<boolean>((resolve) => {
        socket.once('connect', () => resolve(true));
        socket.once('error', () => resolve(false));
      });
      if (!isConnected) return;
      socket.on('error', () => undefined);
      await this.#askOver(socket);
    }
  }

  async #askOver(socket: Socket): Promise<void> {
    for (let count = 1; !socket.readableEnded && !socket.destroyed; count++) {
      const start = performance.now();
      const { status, isLast, received } = await ask(socket, this.#request);
      const waited = `request ${count} of its connection waited ${Math.round(performance.now() - start)} ms`;
      if (status === 200) this.answered += 1;
      else
        this.failed.push(status === 0 ? `${received} bytes of a reply, ${waited}` : `reply ${status}, ${waited}`);
      if (isLast || status === 0) break;
      await sleep((1000 * CLIENTS) / PER_SECOND);
    }
    socket.destroy();
  }
}

/** Sends one request and reads the reply; status 0 if the connection ended before the reply was complete. */
function ask(socket: Socket, request: string): Promise<{ status: number; isLast: boolean; received: number }> {
  return new Promise((resolve) => {
    let text = '';
    const finish = (status: number) => {
      socket.removeListener('data', read);
      socket.removeListener('close', lose);
      resolve({ status, isLast: /\r\nconnection: close/i.test(text), received: text.length });
    };
    const lose = () => finish(0);
    const read = (chunk: Buffer) => {
      text += chunk.toString('latin1');
      const head = text.indexOf('\r\n\r\n');
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1] ?? Number.POSITIVE_INFINITY);
      if (head !== -1 && text.length >= head + 4 + length) finish(Number(text.slice(9, 12)));
    };
    socket.on('data', read);
    socket.once('close', lose);
    socket.write(request);
  });
}
