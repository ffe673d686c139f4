import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Bench, Figure } from '../figure.ts';
import { type Measured, startGenerator } from '../load.ts';
import { type EventReader, openEvents } from './event-reader.ts';
import { TenantsBench } from './tenants-bench.ts';

/** The most that a server accepts, and the most of one reader. */
const STREAMS = 1000;
const STREAMS_OF_READER = 10;
const TOKENS_OF_TENANT = 20;
const CONNECTIONS = 2000;
const ROUND_MS = 15_000;
const LOAD_CONNECTIONS = 4;
const PAUSE_MS = 20;
const MAX_MEMORY_MB = 150;
const MAX_RATIO = 1.5;
const AT_ONCE = 50;

/** What a thousand idle event streams and two thousand idle connections cost: memory, and latency of requests. */
export const benchIdleConnections: Bench = async ({ scale, log }) => {
  const wanted = Math.max(STREAMS_OF_READER, Math.round(STREAMS * scale));
  const readers = Math.ceil(wanted / STREAMS_OF_READER);
  const bench = await TenantsBench.open(Math.ceil(readers / TOKENS_OF_TENANT), {
    PARAPET_LIMIT_LOGIN: '1000',
  });
  const streams: EventReader[] = [];
  const sockets: Socket[] = [];
  try {
    const measure = (durationMs: number) => load(bench, durationMs);
    await measure(ROUND_MS / 3);
    const before = await measure(ROUND_MS);
    const memoryBefore = bench.memoryMb();
    await openStreams(bench, { wanted, readers }, streams);
    await openConnections(bench.program.baseUrl, Math.round(CONNECTIONS * scale), sockets);
    log(`${streams.length} streams and ${sockets.length} connections are open`);
    const after = await measure(ROUND_MS);
    const memory = bench.memoryMb() - memoryBefore;
    const lost = streams.filter((stream) => !stream.isOpen()).length + sockets.filter(({ closed }) => closed).length;
    return figuresOf({ before, after, memory, lost });
  } finally {
    for (const stream of streams) stream.close();
    for (const socket of sockets) socket.destroy();
    await bench.close();
  }
};

async function load(bench: TenantsBench, durationMs: number): Promise<Measured> {
  const generator = startGenerator();
  try {
    const request = bench.listRequest(bench.tenant(0));
    return await generator.run({ ...request, connections: LOAD_CONNECTIONS, pauseMs: PAUSE_MS, durationMs });
  } finally {
    generator.stop();
  }
}

async function openStreams(
  bench: TenantsBench,
  { wanted, readers }: { wanted: number; readers: number },
  streams: EventReader[],
): Promise<void> {
  for (let reader = 0; reader < readers; reader++) {
    const tenant = bench.tenant(Math.floor(reader / TOKENS_OF_TENANT));
    const token = await bench.addToken(tenant);
    const count = Math.min(STREAMS_OF_READER, wanted - streams.length);
    const opened = Array.from({ length: count }, () => openEvents(bench.program.baseUrl, { ...tenant, token }));
    streams.push(...(await Promise.all(opened)));
  }
}

/** Connections that have sent one request and now wait, as those of browsers and proxies. */
async function openConnections(baseUrl: string, count: number, sockets: Socket[]): Promise<void> {
  const { hostname, port, host } = new URL(baseUrl);
  const open = async () => {
    const socket = connect({ host: hostname, port: Number(port) });
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.write(`GET /healthz HTTP/1.1\r\nhost: ${host}\r\n\r\n`);
    await once(socket, 'data');
    socket.resume();
    sockets.push(socket);
  };
  while (sockets.length < count)
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - sockets.length) }, open));
}

function figuresOf({
  before,
  after,
  memory,
  lost,
}: {
  before: Measured;
  after: Measured;
  memory: number;
  lost: number;
}): Figure[] {
  return [
    { name: 'memory of the server for them', value: memory, unit: 'MB', target: { atMost: MAX_MEMORY_MB } },
    {
      name: 'requests meanwhile, p99',
      value: after.p99Ms,
      unit: 'ms',
      baseline: { name: 'without them', value: before.p99Ms },
      ratio: after.p99Ms / before.p99Ms,
      target: { atMost: MAX_RATIO },
    },
    { name: 'errors of requests', value: before.failures + after.failures, unit: '', target: { atMost: 0 } },
    { name: 'streams and connections that were closed meanwhile', value: lost, unit: '', target: { atMost: 0 } },
  ];
}
