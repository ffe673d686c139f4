import assert from 'node:assert/strict';
import { cpuMsOf, cpuMsOfSessions } from './cpu.ts';
import { type Bench, type BenchOptions, type Figure, median } from './figure.ts';
import { startGenerator } from './load.ts';
import { startTeamBench, type TeamBench } from './team-bench.ts';

const COUNTS = [1, 2, 4] as const;
const ROUNDS = 9;
const ROUND_MS = 2000;
const WARM_UP_MS = 10_000;
/** The same load for every number of servers. */
const CONNECTIONS = 16;
/** Four servers share the 100 connections that PostgreSQL accepts. */
const POOL = '8';
const PAGE = 100;

interface Target {
  baseUrl: string;
  pid: number;
  generator: ReturnType<typeof startGenerator>;
}

interface ServersRound {
  perSecond: number;
  /** CPU time for one request. */
  serverMs: number;
  databaseMs: number;
  failures: number;
}

type RoundsByServerCount = ReadonlyMap<number, readonly ServersRound[]>;

/**
 * The list of 100 teams from one, two and four servers on one PostgreSQL, all on this machine. With fewer cores than
 * processes the throughput cannot grow; the CPU time of a request tells what another server costs, on any machine.
 */
export const benchServers: Bench = async (options) => {
  const bench = await startTeamBench({ settings: { PARAPET_JOBS: 'off', PARAPET_DATABASE_POOL: POOL } });
  const targets: Target[] = [];
  try {
    const servers = [bench.program];
    while (servers.length < Math.max(...COUNTS)) servers.push(await bench.startAnother());
    targets.push(...servers.map(({ baseUrl, pid }) => ({ baseUrl, pid, generator: startGenerator() })));
    return figuresOf(await measure(bench, targets, options));
  } finally {
    for (const { generator } of targets) generator.stop();
    await bench.close();
  }
};

async function measure(
  bench: TeamBench,
  targets: readonly Target[],
  { scale, log }: BenchOptions,
): Promise<RoundsByServerCount> {
  const rounds = new Map<number, ServersRound[]>(COUNTS.map((count) => [count, []]));
  // On a busy machine a first connection can take longer than a server waits for it, so failures do not count here.
  for (const target of targets) await load(bench, [target], WARM_UP_MS * scale);
  for (let round = 0; round < Math.max(3, ROUNDS * scale); round++)
    for (const count of round % 2 === 0 ? COUNTS : COUNTS.toReversed()) {
      const measured = await load(bench, targets.slice(0, count), ROUND_MS * scale);
      assert.equal(measured.failures, 0, 'a server replied with a status other than 200');
      rounds.get(count)?.push(measured);
      log(`round ${round + 1}: servers: ${count}, ${measured.perSecond.toFixed(0)}/s`);
    }
  return rounds;
}

/** Divides the connections among the servers. */
async function load(bench: TeamBench, targets: readonly Target[], durationMs: number): Promise<ServersRound> {
  const connections = CONNECTIONS / targets.length;
  const cpuMs = () => ({
    servers: targets.reduce((sum, { pid }) => sum + cpuMsOf(pid), 0),
    database: cpuMsOfSessions(bench.postmaster),
  });
  const before = cpuMs();
  const measured = await Promise.all(
    targets.map(({ baseUrl, generator }) =>
      generator.run({ ...bench.listRequest(PAGE), baseUrl, connections, durationMs }),
    ),
  );
  const after = cpuMs();
  const total = (pick: (one: (typeof measured)[number]) => number) => measured.reduce((sum, one) => sum + pick(one), 0);
  const requests = total((one) => one.requests);
  return {
    perSecond: total((one) => one.perSecond),
    serverMs: (after.servers - before.servers) / requests,
    databaseMs: (after.database - before.database) / requests,
    failures: total((one) => one.failures),
  };
}

function figuresOf(rounds: RoundsByServerCount): Figure[] {
  const of = (count: number, pick: (round: ServersRound) => number) => median((rounds.get(count) ?? []).map(pick));
  const figures = (what: string, unit: string, pick: (round: ServersRound) => number): Figure[] =>
    COUNTS.map((count) => {
      const [value, single] = [of(count, pick), of(1, pick)];
      const comparison = { baseline: { name: '1 server', value: single }, ratio: value / single };
      return { name: `servers: ${count}, ${what}`, value, unit, ...(count === 1 ? {} : comparison) };
    });
  return [
    ...figures('throughput', 'requests/s', ({ perSecond }) => perSecond),
    ...figures('CPU of the servers', 'ms/request', ({ serverMs }) => serverMs),
    ...figures('CPU of PostgreSQL', 'ms/request', ({ databaseMs }) => databaseMs),
  ];
}
