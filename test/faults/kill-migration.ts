import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Campaign, type CampaignOptions, type FaultFigure, randomFrom, sleep } from './campaign.ts';
import { Installation, type Run } from './installation.ts';

const FOLDER = fileURLToPath(new URL('../../migrations', import.meta.url));
const MIGRATIONS = globSync('*.sql', { cwd: FOLDER }).length;
/** One in this many kills hits a first start, which creates the database. */
const FIRST_START_EVERY = 5;

/** The schema after migrations as one text, by which two databases can be compared. */
const SCHEMA = `
  select string_agg(line, e'\\n' order by line) as schema from (
    select format('column %s.%s %s %s %s', table_name, column_name, data_type, is_nullable, column_default) as line
      from information_schema.columns where table_schema = 'public'
    union all select format('index %s', indexdef) from pg_indexes where schemaname = 'public'
    union all select format('constraint %s %s', conrelid::regclass, pg_get_constraintdef(oid)) from pg_constraint
      where connamespace = 'public'::regnamespace
    union all select format('policy %s %s %s %s', tablename, policyname, qual, with_check) from pg_policies
    union all select format('grant %s %s %s', table_name, grantee, privilege_type)
      from information_schema.role_table_grants where table_schema = 'public'
    union all select format('migration %s %s', name, digest) from migration
  ) as lines`;

interface Totals {
  inside: number;
  before: number;
  after: number;
  stuck: string[];
}

/** Kills a migration at random moments: the next start finds only complete migrations and runs the rest. */
export const killMigration: Campaign = {
  defaultCycles: 50,
  async run(options: CampaignOptions): Promise<FaultFigure[]> {
    const totals: Totals = { inside: 0, before: 0, after: 0, stuck: [] };
    const installation = await Installation.make();
    try {
      await killOnServer(installation, options, totals);
    } finally {
      await installation.remove();
    }
    await killFirstStarts(options, totals);
    const { inside, before, after, stuck } = totals;
    return [
      {
        id: 'F12 kill-migration',
        wanted: `0 stuck in ${options.cycles} kills`,
        reached:
          `${stuck.length} stuck in ${options.cycles} kills ` +
          `(${before} before the first migration, ${inside} between the first and the last, ${after} after it)`,
        isReached: stuck.length === 0 && inside + before > 0,
        details: stuck,
      },
    ];
  },
};

async function killOnServer(
  installation: Installation,
  { cycles, seed, say }: CampaignOptions,
  totals: Totals,
): Promise<void> {
  const random = randomFrom(seed);
  const server = await installation.start();
  const running = await installation.postmaster();
  const { host = '', user = '' } = running?.connection ?? {};
  const urlOf = (name: string) => `postgresql://${user}@localhost/${name}?host=${encodeURIComponent(host)}`;
  const migrateIn = (name: string) =>
    installation.run({ command: 'migrate', settings: { PARAPET_DATABASE_URL: urlOf(name) } });
  await installation.look('create database clean');
  const clean = migrateIn('clean');
  await untilConnected(installation, 'clean', clean);
  const start = performance.now();
  if ((await clean.ended) !== 0) throw new Error('A migration that was not killed failed.');
  const usualMs = performance.now() - start;
  const expected = await schemaOf(installation, 'clean');
  for (let cycle = 1; cycle <= cycles; cycle++) {
    if (cycle % FIRST_START_EVERY === 0) continue;
    const name = `killed_${cycle}`;
    await installation.look(`create database ${name}`);
    const migration = migrateIn(name);
    await untilConnected(installation, name, migration);
    await killWithin(migration, random() * usualMs);
    count(totals, await appliedIn(installation, name));
    if ((await migrateIn(name).ended) !== 0) totals.stuck.push(`kill ${cycle}: the next start failed`);
    else if ((await schemaOf(installation, name)) !== expected)
      totals.stuck.push(`kill ${cycle}: the schema differs from that of a start that nobody killed`);
    await installation.look(`drop database ${name} with (force)`);
    if (cycle % 10 === 1) say(`${cycle} kills, ${totals.inside} between the first migration and the last`);
  }
  await server.end('SIGTERM');
}

/** Kills the first start, between the creation of the database and the end of the setup. */
async function killFirstStarts({ cycles, seed }: CampaignOptions, totals: Totals): Promise<void> {
  const random = randomFrom(seed + 1);
  for (let kill = FIRST_START_EVERY; kill <= cycles; kill += FIRST_START_EVERY) {
    const installation = await Installation.make();
    try {
      await killWithin(installation.run(), 200 + random() * 2800);
      const next = installation.run();
      await next.ready();
      const [row] = await installation.look<{ count: string }>('select count(*) as count from migration');
      if (Number(row?.count) !== MIGRATIONS) totals.stuck.push(`first start ${kill}: ${row?.count} migrations`);
      totals.before += 1;
      await next.end('SIGTERM');
    } catch (error) {
      totals.stuck.push(`first start ${kill}: ${(error as Error).message.slice(0, 300)}`);
    } finally {
      await installation.remove();
    }
  }
}

const sessionsOf = async (installation: Installation, name: string) =>
  (await installation.look('select from pg_stat_activity where datname = $1', [name])).length;

async function untilConnected(installation: Installation, name: string, run: Run): Promise<void> {
  while (run.isRunning && (await sessionsOf(installation, name)) === 0) await sleep(2);
}

async function killWithin(run: Run, ms: number): Promise<void> {
  await Promise.race([sleep(ms), run.ended]);
  await run.end('SIGKILL');
}

/** Waits until the session of the killed process is gone, so that its open transaction is rolled back. */
async function appliedIn(installation: Installation, name: string): Promise<number> {
  while ((await sessionsOf(installation, name)) > 0) await sleep(20);
  const [table] = await installation.look<{ name: string | null }>("select to_regclass('migration') as name", [], name);
  if (!table?.name) return 0;
  const [row] = await installation.look<{ count: string }>('select count(*) as count from migration', [], name);
  return Number(row?.count);
}

function count(totals: Totals, applied: number): void {
  if (applied === 0) totals.before += 1;
  else if (applied < MIGRATIONS) totals.inside += 1;
  else totals.after += 1;
}

async function schemaOf(installation: Installation, name: string): Promise<string> {
  const [row] = await installation.look<{ schema: string }>(SCHEMA, [], name);
  return String(row?.schema);
}
