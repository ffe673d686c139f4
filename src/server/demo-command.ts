import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Registry } from 'prom-client';
import { z } from 'zod';
import { listServerAdministrators } from '#domain/accounts/server-administrators.ts';
import { addAdministrators, createDemoDeployment } from '#domain/demo/create-demo.ts';
import * as store from '#domain/demo/store.ts';
import { type Config, readConfig } from '#kernel/config/config.ts';
import { openMasterKey, requireMasterKey } from '#kernel/db/migrate/master-key-check.ts';
import { migrate, readMigrations } from '#kernel/db/migrate/migrate.ts';
import { StaticPages } from '#kernel/http/edge/static-pages.ts';
import { makeLog } from '#kernel/log/log.ts';
import { loadDemo } from '../demo/load.ts';
import { type Assembly, assemble } from './assemble.ts';
import { keyOptionsOf } from './key-options.ts';
import { connectStorage } from './storage.ts';

const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url));
const Counts = z.object({ findings: z.string(), projects: z.string(), scans: z.string() });

const print = (line: string) => process.stdout.write(`${line}\n`);

export interface DemoOptions {
  size: store.DemoSize;
  /** Removes every demo instead of loading one. */
  isClearing: boolean;
}

/** Loads or removes a demo; works while a server runs and while none does. */
export async function demo(options: DemoOptions): Promise<void> {
  const config = readConfig();
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  const storage = await connectStorage(config, print);
  try {
    await requireMasterKey(storage.connection, keyOptionsOf(config, makeLog('warn')));
    await migrate(storage.connection, await readMigrations(MIGRATIONS));
    await run(await openAssembly(config, storage.connection), options);
  } finally {
    await storage.close('fast');
  }
}

async function openAssembly(config: Config, connection: Parameters<typeof migrate>[0]): Promise<Assembly> {
  const log = makeLog('warn');
  const { ring } = await openMasterKey(connection, keyOptionsOf(config, log));
  const assembly = assemble({
    config,
    connection,
    keys: ring,
    log,
    registry: new Registry(),
    pages: new StaticPages(),
  });
  assembly.setBaseUrl(config.baseUrl || `http://${config.host}:${config.port}`);
  return assembly;
}

async function run(assembly: Assembly, { size, isClearing }: DemoOptions): Promise<void> {
  try {
    if (isClearing) await clear(assembly);
    else await load(assembly, size);
  } finally {
    await assembly.services.spool.close();
    await assembly.db.close();
  }
}

async function clear({ db }: Assembly): Promise<void> {
  const demos = await db.transaction({ role: 'auth', isRead: true }, store.list);
  for (const { deployment, slug } of demos) {
    await db.transaction({ role: 'app', deployment, isRead: false }, (tx) => store.remove(tx, deployment));
    print(`✓ removed the demo "${slug}"`);
  }
  if (demos.length === 0) print('There is no demo.');
}

/** Finds or creates the demo to load; every administrator of the server becomes a member of it. */
function prepare({ db, services }: Assembly, size: store.DemoSize, now: Date): Promise<store.Demo | undefined> {
  return db.transaction({ role: 'auth', isRead: false }, async (tx) => {
    await tx.run`select pg_advisory_xact_lock(hashtext('parapet demo'))`;
    const administrators = await listServerAdministrators(tx);
    const [account] = administrators;
    if (account === undefined) return undefined;
    const [existing] = await store.list(tx);
    const demo = existing ?? (await createDemoDeployment(tx, services.keys, { account, size, now }));
    await addAdministrators(tx, demo.deployment, administrators);
    return demo;
  });
}

async function load(assembly: Assembly, size: store.DemoSize): Promise<void> {
  const found = await prepare(assembly, size, new Date());
  if (!found) {
    console.error(
      'There is no administrator yet. Start Parapet with `npm start`, open the link that it prints, and then load\n' +
        'the demo. Or start it with PARAPET_DEMO=1: it loads the demo as soon as there is an administrator.',
    );
    process.exitCode = 1;
    return;
  }
  if (found.size !== size) {
    console.error(
      `A demo of size ${found.size} already exists, "${found.slug}". Remove it first: npm run demo -- --clear`,
    );
    process.exitCode = 6;
    return;
  }
  const start = performance.now();
  const signal = stopSignal();
  const { db, services } = assembly;
  try {
    const loaded = await loadDemo({ db, services, deployment: found.deployment, signal, onProgress: progress() });
    if (loaded) await report(assembly, loaded, found.state === 'ready' ? undefined : performance.now() - start);
    else print('The demo was removed in the meantime.');
  } catch (error) {
    if (!signal.aborted) throw error;
    print('\nStopped. Run the same command again to continue.');
    process.exitCode = 130;
  }
}

/** Ctrl-C stops the loading after the current step, so that the database stays consistent. */
function stopSignal(): AbortSignal {
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort());
  return stop.signal;
}

/** Prints the progress: on one line of a terminal, otherwise a line for every ten percent. */
function progress(): (done: number, total: number) => void {
  let last = -1;
  return (done, total) => {
    const percent = Math.floor((100 * done) / total);
    const isPrinted = process.stdout.isTTY ? percent !== last : Math.floor(percent / 10) !== Math.floor(last / 10);
    if (!isPrinted) return;
    last = percent;
    const line = `loading the demo: ${percent} % (step ${done} of ${total})`;
    process.stdout.write(process.stdout.isTTY ? `\r${line}${done === total ? '\n' : ''}` : `${line}\n`);
  };
}

async function report({ db, services }: Assembly, { deployment, slug }: store.Demo, tookMs: number | undefined) {
  const counts = await db.transaction(
    { role: 'app', deployment, isRead: true },
    (tx) => tx.one(Counts)`
      select (select count(*) from finding where deployment_id = ${deployment}) as findings,
        (select count(*) from project where deployment_id = ${deployment}) as projects,
        (select count(*) from scan where deployment_id = ${deployment}) as scans`,
  );
  const format = (count = '0') => Number(count).toLocaleString('en');
  const [projects, scans, findings] = [counts?.projects, counts?.scans, counts?.findings].map(format);
  const content = `${projects} projects, ${scans} scans, ${findings} findings`;
  const time = tookMs === undefined ? 'already exists' : `loaded in ${(tookMs / 1000).toFixed(1)} s`;
  print(`✓ demo "${slug}" ${time}: ${content}`);
  print(`  Every administrator of the server is a member: choose the organization Demo at ${services.baseUrl}`);
  print('  Remove it with: npm run demo -- --clear');
}
