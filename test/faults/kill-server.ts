import { Api } from './api.ts';
import { type Campaign, type CampaignOptions, type FaultFigure, randomFrom, sleep } from './campaign.ts';
import { Installation } from './installation.ts';
import { clearCycle, reconcile } from './ledger.ts';
import { killTree } from './processes.ts';
import { prepareWriters, Writer } from './writers.ts';

const WRITERS = 8;
const LOAD_MIN_MS = 100;
const LOAD_MAX_MS = 250;
/** Every fourth cycle kills PostgreSQL too, so the next start recovers it instead of adopting it. */
const BOTH_EVERY = 4;

interface Totals {
  acknowledged: number;
  unacknowledged: number;
  retried: number;
  lost: string[];
  doubled: string[];
  unexpected: string[];
}

/** Kills the server repeatedly during writes: every acknowledged write must be stored exactly once. */
export const killServer: Campaign = {
  defaultCycles: 200,
  async run(options: CampaignOptions): Promise<FaultFigure[]> {
    const installation = await Installation.make();
    const totals: Totals = { acknowledged: 0, unacknowledged: 0, retried: 0, lost: [], doubled: [], unexpected: [] };
    try {
      await runCycles(installation, options, totals);
    } finally {
      await installation.remove();
    }
    const { acknowledged, unacknowledged, retried, lost, doubled, unexpected } = totals;
    const writes = `${acknowledged} acknowledged and ${unacknowledged} open writes, ${retried} sent again`;
    return [
      {
        id: 'F01 kill-server',
        wanted: `0 lost, 0 repeated, 0 unexpected replies in ${options.cycles} cycles`,
        reached:
          `${lost.length} lost, ${doubled.length} doubled, ${unexpected.length} unexpected answers ` +
          `in ${options.cycles} cycles (${writes})`,
        isReached: lost.length + doubled.length + unexpected.length === 0 && acknowledged > 0,
        details: [...lost, ...doubled, ...unexpected],
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
  let program = await installation.start();
  const ground = await prepareWriters(installation, program.baseUrl, WRITERS);
  for (let cycle = 1; cycle <= cycles; cycle++) {
    const writers = Array.from(
      { length: WRITERS },
      (_, index) => new Writer(program.baseUrl, ground, { cycle, index }),
    );
    const running = writers.map((writer) => writer.run());
    // A server that has just started needs a moment to warm up.
    while (!writers.some((writer) => writer.ledger.some((effect) => effect.isAcknowledged))) await sleep(5);
    await sleep(LOAD_MIN_MS + random() * (LOAD_MAX_MS - LOAD_MIN_MS));
    const database = await installation.postmaster();
    const ended = program.end('SIGKILL');
    if (cycle % BOTH_EVERY === 0 && database) killTree(database.pid);
    await Promise.all([ended, ...running]);
    program = await installation.start();
    const api = new Api(program.baseUrl);
    const ledgers = writers.map((writer) => writer.ledger);
    const verdict = await reconcile(installation, api, { ground, ledgers });
    api.close();
    totals.acknowledged += verdict.acknowledged;
    totals.unacknowledged += verdict.unacknowledged;
    totals.retried += verdict.retried;
    totals.lost.push(...verdict.lost);
    totals.doubled.push(...verdict.doubled);
    totals.unexpected.push(...writers.flatMap((writer) => writer.unexpected));
    await clearCycle(installation, ground);
    if (cycle % 20 === 0) say(`${cycle} cycles, ${totals.acknowledged} acknowledged writes`);
  }
  await program.end('SIGTERM');
}
