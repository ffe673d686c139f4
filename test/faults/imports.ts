import { join } from 'node:path';
import pg from 'pg';
import { startEmbedded } from '#kernel/db/embedded/embedded-server.ts';
import { type Campaign, type CampaignOptions, type FaultFigure, randomFrom, sleep } from './campaign.ts';
import { type CountingProxy, startCountingProxy } from './counting-proxy.ts';
import { difference, results, type Sender, sarif, sendReport, traceOf } from './import-reports.ts';
import { Installation, type Run } from './installation.ts';
import { killTree } from './processes.ts';

const BEFORE = sarif(results(0, 60));
/** Some of the previous results are gone, the others have moved, and new ones are added. */
const AFTER = sarif(results(20, 80, 3));
const MOST_DATABASE_KILLS = 20;
/** More than the calls of an import, so that the server is killed after each of them. */
const CYCLES = 150;
const UPLOADS = 50;

const same = (one: readonly string[], other: readonly string[]) => one.join('\n') === other.join('\n');

/** Kills the server and the database during imports: a report is imported completely or not at all, and once. */
export const importFaults: Campaign = {
  defaultCycles: CYCLES,
  async run(options: CampaignOptions): Promise<FaultFigure[]> {
    return [await killServerAtEachCall(options), ...(await killDatabaseMeanwhile(options))];
  },
};

interface Ground {
  installation: Installation;
  link: CountingProxy;
  look: <Row extends object>(text: string, values?: unknown[]) => Promise<Row[]>;
}

async function start({ installation, link, look }: Ground): Promise<{ program: Run; sender: Sender }> {
  const program = await installation.start({ settings: { PARAPET_DATABASE_URL: link.url } });
  const [row] = await look<{ id: string }>('select id from deployment');
  const sender = { baseUrl: program.baseUrl, deployment: String(row?.id), token: await installation.token() };
  return { program, sender };
}

async function killServerAtEachCall({ say, cycles }: CampaignOptions): Promise<FaultFigure> {
  const installation = await Installation.make();
  const server = await startEmbedded({ dataFolder: join(installation.folder, 'beside'), log: () => undefined });
  const owner = new pg.Client({ ...server.connection, ssl: false });
  await owner.connect();
  const { host, port, user } = server.connection;
  const link = await startCountingProxy(join(host, `.s.PGSQL.${port}`), user);
  const look: Ground['look'] = async (text, values = []) => (await owner.query(text, values)).rows;
  const wrong: string[] = [];
  let kills = 0;
  try {
    kills = await killOneByOne({ installation, link, look }, { wrong, say, cycles });
  } finally {
    link.close();
    await owner.end();
    await server.stop('immediate');
    await installation.remove();
  }
  return {
    id: 'F07 kill-during-import',
    wanted: '0 partial and 0 repeated imports, wherever in an import the server is killed',
    reached: `${wrong.length} in ${kills} kills after different database calls`,
    isReached: wrong.length === 0 && kills > 0,
    details: wrong,
  };
}

/** Returns the number of kills: one after each call or, for fewer cycles, spread over all of them. */
async function killOneByOne(
  ground: Ground,
  { wrong, say, cycles }: { wrong: string[]; say: (line: string) => void; cycles: number },
): Promise<number> {
  const { link, look } = ground;
  let { program, sender } = await start(ground);
  const bring = (report: string, project: string, commit: string) => sendReport(sender, report, { project, commit });
  await bring(BEFORE, 'acme/undisturbed', 'aaaaaaa');
  link.arm(Number.POSITIVE_INFINITY, () => undefined);
  await bring(AFTER, 'acme/undisturbed', 'bbbbbbb');
  const all = link.calls;
  const expected = await traceOf(look, 'acme/undisturbed');
  const kills = Math.min(cycles, all);
  for (let kill = 1; kill <= kills; kill++) {
    const call = Math.ceil((kill * all) / kills);
    const project = `acme/kill-${call}`;
    await bring(BEFORE, project, 'aaaaaaa');
    link.arm(call, () => void program.child.kill('SIGKILL'));
    const status = await bring(AFTER, project, 'bbbbbbb').catch(() => 0);
    if (status !== 0) wrong.push(`call ${call}: reply ${status} from a server that should have been killed`);
    link.arm(Number.POSITIVE_INFINITY, () => undefined);
    await program.end('SIGKILL');
    ({ program, sender } = await start(ground));
    const again = await bring(AFTER, project, 'bbbbbbb');
    if (again !== 200) wrong.push(`call ${call}: ${again} when sent again`);
    const found = await traceOf(look, project);
    if (!same(found, expected)) wrong.push(`call ${call}: ${difference(found, expected)}`);
    if (kill % 10 === 0) say(`${kill} kills, the last after call ${call} of ${all}`);
  }
  await program.end('SIGTERM');
  return kills;
}

async function killDatabaseMeanwhile(options: CampaignOptions): Promise<FaultFigure[]> {
  const installation = await Installation.make();
  const program = await installation.start();
  try {
    const [row] = await installation.look<{ id: string }>('select id from deployment');
    const sender = { baseUrl: program.baseUrl, deployment: String(row?.id), token: await installation.token() };
    return [await killDatabase(installation, sender, options), await sendManyAtOnce(installation, sender)];
  } finally {
    // Otherwise it would restart PostgreSQL while the folder is removed.
    await program.end('SIGTERM');
    await installation.remove();
  }
}

const LARGER = sarif(results(0, 3000));

const PATIENCE_MS = 30_000;

/** Checks as soon as PostgreSQL is back: it may have been killed after the reply. */
async function lookPatiently<Row extends object>(
  installation: Installation,
  text: string,
  values: unknown[],
): Promise<Row[]> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await installation.look<Row>(text, values);
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await sleep(100);
    }
  }
}

async function killDatabase(
  installation: Installation,
  sender: Sender,
  { cycles: wished, seed, say }: CampaignOptions,
): Promise<FaultFigure> {
  const cycles = Math.min(wished, MOST_DATABASE_KILLS);
  const random = randomFrom(seed);
  const look = <Row extends object>(text: string, values: unknown[]) => lookPatiently<Row>(installation, text, values);
  const wrong: string[] = [];
  const start = performance.now();
  await sendReport(sender, LARGER, { project: 'acme/calm', commit: 'aaaaaaa' });
  const usualMs = performance.now() - start;
  const expected = await traceOf(look, 'acme/calm');
  let hits = 0;
  for (let cycle = 1; cycle <= cycles; cycle++) {
    const project = `acme/outage-${cycle}`;
    let isAnswered = false;
    const sending = sendReport(sender, LARGER, { project, commit: 'aaaaaaa' })
      .catch((error: Error) => error.message)
      .finally(() => {
        isAnswered = true;
      });
    await sleep(usualMs * random());
    const database = await installation.postmaster();
    if (!isAnswered) hits += 1;
    if (database) killTree(database.pid);
    const status = await sending;
    if (status !== 200) wrong.push(`kill ${cycle}: answered ${status}`);
    const found = await traceOf(look, project);
    if (!same(found, expected)) wrong.push(`kill ${cycle}: ${difference(found, expected)}`);
    if (cycle % 5 === 0) say(`${cycle} kills of PostgreSQL, ${hits} of them during an import`);
  }
  return {
    id: 'F08 outage-during-import',
    wanted: `each import succeeds once PostgreSQL is back, 0 partial and 0 repeated, in ${cycles} kills`,
    reached: `${wrong.length} wrong in ${cycles} kills, ${hits} of them before the reply`,
    isReached: wrong.length === 0,
    details: wrong,
  };
}

/** Five analyses of overlapping parts of one program, ten scans each. */
const upload = (number: number) => {
  const part = number % 5;
  const report = sarif(results(part * 20, part * 20 + 60));
  return { report, category: `part-${part}`, commit: `aaaaa${String(number).padStart(2, '0')}` };
};

async function sendManyAtOnce(installation: Installation, sender: Sender): Promise<FaultFigure> {
  const look = <Row extends object>(text: string, values: unknown[]) => lookPatiently<Row>(installation, text, values);
  const uploads = Array.from({ length: UPLOADS }, (_, number) => upload(number));
  const send =
    (project: string) =>
    ({ report, ...sent }: ReturnType<typeof upload>) =>
      sendReport(sender, report, { project, ...sent });
  for (const one of uploads) await send('acme/in-turn')(one);
  const statuses = await Promise.all(uploads.map(send('acme/at-once')));
  const refused = statuses.filter((status) => status !== 200);
  const [found, expected] = [await traceOf(look, 'acme/at-once'), await traceOf(look, 'acme/in-turn')];
  const isSame = same(found, expected);
  return {
    id: 'F09 imports-at-once',
    wanted: `${UPLOADS} uploads to one project at once give the same result as one after another`,
    reached: `${refused.length} refused, ${isSame ? 'the same' : 'another'} end (${found.length} rows)`,
    isReached: refused.length === 0 && isSame,
    details: isSame ? [] : [difference(found, expected)],
  };
}
