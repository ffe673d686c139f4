import assert from 'node:assert/strict';
import { startBaselineServer } from './baseline-server.ts';
import { cpuMsOf, cpuMsOfSessions } from './cpu.ts';
import type { Bench, BenchOptions, Figure } from './figure.ts';
import { median } from './figure.ts';
import { type Measured, startGenerator } from './load.ts';
import { startTeamBench, type TeamBench } from './team-bench.ts';

const CONNECTIONS = 16;
/** Many short rounds: other load on the machine changes within seconds, and only figures of one round are compared. */
const ROUNDS = 31;
const ROUND_MS = 600;
/** Long enough for the JIT compiler of Node, which keeps optimizing for about 15 seconds. */
const WARM_UP_MS = 20_000;
const PAGE = 100;
const POOL = 16;

const RUNNERS = ['ours', 'rows', 'text'] as const;
type Runner = (typeof RUNNERS)[number];
type Round = Measured & { serverMs: number; databaseMs: number };
type Rounds = Record<Runner, Round[]>;

/** The list of 100 teams through the whole pipeline, compared with two servers that do nothing else. */
export const benchTeamList: Bench = async (options) => {
  const place = await startTeamBench();
  try {
    const rounds = await measure(place, options);
    return figuresOf(rounds);
  } finally {
    await place.close();
  }
};

async function measure(place: TeamBench, { scale, say }: BenchOptions): Promise<Rounds> {
  const floorOptions = { connection: place.connection, pool: POOL, deployment: place.deployment, limit: PAGE };
  const rows = await startBaselineServer({ ...floorOptions, kind: 'rows' });
  const text = await startBaselineServer({ ...floorOptions, kind: 'text' });
  const generator = startGenerator();
  const runners: [Runner, { baseUrl: string; pid: number }][] = [
    ['ours', place.program],
    ['rows', rows],
    ['text', text],
  ];
  const request = { ...place.listRequest(PAGE), connections: CONNECTIONS };
  try {
    await requireSameAnswers(
      runners.map(([, { baseUrl }]) => baseUrl),
      request,
    );
    const rounds: Rounds = { ours: [], rows: [], text: [] };
    for (const [, { baseUrl }] of runners) await generator.run({ ...request, baseUrl, durationMs: WARM_UP_MS });
    for (let round = 0; round < ROUNDS; round++)
      for (const [runner, { baseUrl, pid }] of round % 2 === 0 ? runners : runners.toReversed()) {
        const before = { server: cpuMsOf(pid), database: cpuMsOfSessions(place.postmaster) };
        const measured = await generator.run({ ...request, baseUrl, durationMs: ROUND_MS * scale });
        assert.equal(measured.failures, 0, `${runner} replied with a status other than 200`);
        rounds[runner].push({
          ...measured,
          serverMs: (cpuMsOf(pid) - before.server) / measured.requests,
          databaseMs: (cpuMsOfSessions(place.postmaster) - before.database) / measured.requests,
        });
        say(`round ${round + 1}: ${runner} ${measured.perSecond.toFixed(0)}/s, p99 ${measured.p99Ms.toFixed(1)} ms`);
      }
    return rounds;
  } finally {
    generator.stop();
    rows.stop();
    text.stop();
  }
}

/** Checks that a baseline gives the same reply; otherwise it would not be comparable. */
async function requireSameAnswers(
  baseUrls: string[],
  request: { method: string; path: string; headers: Record<string, string>; body: string },
): Promise<void> {
  const [first, ...others] = await Promise.all(
    baseUrls.map(async (baseUrl) => {
      const { method, headers, body } = request;
      const response = await fetch(baseUrl + request.path, { method, headers, body });
      return ((await response.json()) as { teams: unknown[] }).teams;
    }),
  );
  assert.equal(first?.length, PAGE);
  for (const other of others) assert.deepEqual(other, first);
}

const NAMES: Record<Runner, string> = {
  ours: 'the team list',
  rows: 'rows to JSON in Node',
  text: 'JSON from PostgreSQL',
};

/** Ratios are computed within a round, because the speed of the machine varies between rounds. */
function figuresOf(rounds: Rounds): Figure[] {
  const middle = (runner: Runner, pick: (round: Round) => number) => median(rounds[runner].map(pick));
  const against = (floor: Runner, atLeast: number): Figure => ({
    name: `team list, ${PAGE} rows, ${CONNECTIONS} connections`,
    value: middle('ours', (round) => round.perSecond),
    unit: '/s',
    floor: { name: NAMES[floor], value: middle(floor, (round) => round.perSecond) },
    ratio: median(rounds.ours.map((ours, index) => ours.perSecond / (rounds[floor][index]?.perSecond ?? Number.NaN))),
    want: { atLeast },
  });
  const each = (name: string, pick: (round: Round) => number): Figure[] =>
    RUNNERS.map((runner) => ({ name: `${name} of ${NAMES[runner]}`, value: middle(runner, pick), unit: 'ms' }));
  return [
    against('rows', 1),
    against('text', 0.5),
    ...each('p99', (round) => round.p99Ms),
    ...each('CPU time in Node', (round) => round.serverMs),
    ...each('CPU time in PostgreSQL', (round) => round.databaseMs),
  ];
}
