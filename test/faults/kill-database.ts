import { startEmbedded } from '#kernel/db/embedded/embedded-server.ts';
import { Api } from './api.ts';
import { type Campaign, type CampaignOptions, type FaultFigure, randomFrom, sleep } from './campaign.ts';
import { Installation, type Run } from './installation.ts';
import { clearCycle, reconcile } from './ledger.ts';
import { killTree } from './processes.ts';
import { madeBy, prepareWriters, send, type WriteEffect, Writer, type WriterSetup } from './writers.ts';

const WRITERS = 8;
const LOAD_MIN_MS = 100;
const LOAD_MAX_MS = 250;
/** How long the program has to restart PostgreSQL before the campaign does it. Recovery syncs every file first. */
const PATIENCE_MS = 30_000;
const RECOVERED_WITHIN_MS = 5000;

class Totals {
  acknowledged = 0;
  exits = 0;
  broughtBack = 0;
  slowestMs = 0;
  slowestReturnMs = 0;
  readonly answers = new Map<string, number>();
  readonly wrong: string[] = [];
}

/** Kills PostgreSQL under load: the server stays up, replies with 503, and recovers by itself. */
export const killDatabase: Campaign = {
  defaultCycles: 40,
  async run(options: CampaignOptions): Promise<FaultFigure[]> {
    const installation = await Installation.make();
    const totals = new Totals();
    try {
      await runCycles(installation, options, totals);
    } finally {
      await installation.remove();
    }
    return findingsOf(options.cycles, totals);
  },
};

function findingsOf(cycles: number, totals: Totals): FaultFigure[] {
  const { acknowledged, exits, wrong, broughtBack, slowestMs, slowestReturnMs, answers } = totals;
  const others = [...answers].map(([answer, count]) => `${count} × ${answer}`).join(', ') || 'none';
  return [
    {
      id: 'F02 kill-database',
      wanted: `0 lost, 0 repeated, 0 exits of the server, only 503 meanwhile, in ${cycles} cycles`,
      reached:
        `${wrong.length} lost, repeated or wrong, ${exits} exits, in ${cycles} cycles ` +
        `(${acknowledged} acknowledged writes; refusals: ${others})`,
      isReached: wrong.length === 0 && exits === 0 && acknowledged > 0,
      details: wrong,
    },
    {
      id: 'F02 recovery',
      wanted: `the program restarts PostgreSQL, and replies within ${RECOVERED_WITHIN_MS} ms after that`,
      reached:
        `it did so in ${cycles - broughtBack} of ${cycles} cycles, the slowest after ${slowestReturnMs} ms; ` +
        `slowest reply after it ${slowestMs} ms`,
      isReached: broughtBack === 0 && slowestMs <= RECOVERED_WITHIN_MS,
    },
  ];
}

async function runCycles(installation: Installation, options: CampaignOptions, totals: Totals): Promise<void> {
  const random = randomFrom(options.seed);
  let program = await installation.start();
  const ground = await prepareWriters(installation, program.baseUrl, WRITERS);
  for (let cycle = 1; cycle <= options.cycles; cycle++) {
    const writers = Array.from(
      { length: WRITERS },
      (_, index) => new Writer(program.baseUrl, ground, { cycle, index }),
    );
    const running = writers.map((writer) => writer.run());
    while (!writers.some((writer) => writer.ledger.some((effect) => effect.isAcknowledged))) await sleep(5);
    await sleep(LOAD_MIN_MS + random() * (LOAD_MAX_MS - LOAD_MIN_MS));
    const database = await installation.postmaster();
    if (database) killTree(database.pid);
    await sleep(50);
    for (const writer of writers) writer.stop();
    await Promise.all(running);
    if (!program.isRunning) {
      totals.exits += 1;
      totals.wrong.push(`cycle ${cycle}: the server ended: ${program.lines.slice(-3).join(' | ').slice(0, 500)}`);
      totals.broughtBack += 1;
      program = await installation.start();
    } else await waitForDatabase(installation, totals);
    await recovered(program, { ground, cycle, totals });
    await judge(installation, program, { ground, writers, totals });
    await clearCycle(installation, ground);
    if (cycle % 10 === 0) options.say(`${cycle} cycles, ${totals.acknowledged} acknowledged writes`);
  }
  await program.end('SIGTERM');
}

async function waitForDatabase(installation: Installation, totals: Totals): Promise<void> {
  const start = performance.now();
  while (performance.now() - start < PATIENCE_MS) {
    const isBack = await installation.look('select 1').then(
      () => true,
      () => false,
    );
    totals.slowestReturnMs = Math.max(totals.slowestReturnMs, Math.round(performance.now() - start));
    if (isBack) return;
    await sleep(20);
  }
  totals.broughtBack += 1;
  await startEmbedded({ dataFolder: installation.folder, log: () => undefined });
}

/** Retries until a write is acknowledged, and records how long that took. */
async function recovered(
  program: Run,
  { ground, cycle, totals }: { ground: WriterSetup; cycle: number; totals: Totals },
): Promise<void> {
  const start = performance.now();
  const api = new Api(program.baseUrl);
  const effect: WriteEffect = {
    kind: 'create',
    requestId: `request_c${cycle}recovered`,
    key: `key-c${cycle}recovered`,
    subject: `Team c${cycle}recovered`,
    team: '',
    isAcknowledged: false,
    made: '',
  };
  while (performance.now() - start < 2 * RECOVERED_WITHIN_MS) {
    const answer = await send(api, ground, effect).catch(() => undefined);
    if (answer?.status === 200 && madeBy(answer.body) !== '') break;
    await sleep(20);
  }
  api.close();
  totals.slowestMs = Math.max(totals.slowestMs, Math.round(performance.now() - start));
}

async function judge(
  installation: Installation,
  program: Run,
  { ground, writers, totals }: { ground: WriterSetup; writers: readonly Writer[]; totals: Totals },
): Promise<void> {
  const api = new Api(program.baseUrl);
  const ledgers = writers.map((writer) => writer.ledger);
  const { acknowledged, lost, doubled } = await reconcile(installation, api, { ground, ledgers });
  api.close();
  totals.acknowledged += acknowledged;
  totals.wrong.push(...lost, ...doubled);
  for (const refusal of writers.flatMap((writer) => writer.unexpected)) {
    const answer = refusal.split(' for ')[0] ?? '';
    totals.answers.set(answer, (totals.answers.get(answer) ?? 0) + 1);
    if (!refusal.startsWith('503 ')) totals.wrong.push(refusal);
  }
}
