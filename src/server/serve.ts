import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { rooms } from '#app';
import { type Config, readConfig, unknownSettings } from '#kernel/config/config.ts';
import { version } from '#kernel/config/version.ts';
import type { KeyRing } from '#kernel/crypto/keys/key-ring.ts';
import { openMasterKey, requireMasterKey } from '#kernel/db/migrate/master-key-check.ts';
import { migrate, readMigrations } from '#kernel/db/migrate/migrate.ts';
import { requireRoles } from '#kernel/db/require-roles.ts';
import type { StaticPages } from '#kernel/http/edge/static-pages.ts';
import { openapiOf } from '#kernel/http/openapi/openapi.ts';
import { allFaults } from '#kernel/http/pipeline/fault-catalogue.ts';
import { type Log, makeLog } from '#kernel/log/log.ts';
import { serveMetrics } from '#kernel/log/metrics.ts';
import { releaseStartMemory } from '#kernel/log/release-memory.ts';
import { loadDemoAtStart } from '../demo/load-at-start.ts';
import { shapes } from '../shapes.ts';
import { loadPages } from '../site/load-pages.ts';
import { type Assembly, assemble } from './assemble.ts';
import { firstRun } from './first-run.ts';
import { measureDisks, measureJobs } from './gauges.ts';
import { keyOptionsOf } from './key-options.ts';
import { PortInUse } from './port-in-use.ts';
import { type JobRunner, jobRunnerOf } from './run-jobs.ts';
import { onStop } from './stop.ts';
import { type DatabaseStorage, openStorage } from './storage.ts';

const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url));
/** Pages are rendered after the first requests were served. */
const RENDER_DELAY_MS = 2000;
const DRAIN_MS = 10_000;
const print = (line: string) => process.stdout.write(`${line}\n`);

interface Preparation {
  /** Runs before the schema is changed. */
  check?: (storage: DatabaseStorage) => Promise<void>;
}

async function prepare(
  config: Config,
  { check = async () => undefined }: Preparation = {},
): Promise<{ storage: DatabaseStorage; applied: number }> {
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  const storage = await openStorage(config, print);
  try {
    await check(storage);
    return { storage, applied: await migrate(storage.connection, await readMigrations(MIGRATIONS)) };
  } catch (error) {
    await storage.close('fast');
    throw error;
  }
}

const countText = (count: number) => (count === 1 ? '1 migration' : `${count} migrations`);

/** Brings the schema up to date and stops, for operators who migrate before they start. */
export async function migrateDatabase(): Promise<void> {
  const { storage, applied } = await prepare(readConfig());
  print(applied === 0 ? 'the schema is up to date' : `applied ${countText(applied)}`);
  await storage.stop('fast');
}

export interface ServeOptions {
  /** Answers requests only; other processes run the jobs. */
  hasNoJobs: boolean;
}

/** Runs the server until it is told to stop. */
export async function serve({ hasNoJobs }: ServeOptions): Promise<void> {
  const config: Config = { ...readConfig(), ...(hasNoJobs ? { jobs: 'off' } : {}) };
  const log = makeLog(config.logLevel);
  for (const name of unknownSettings()) log.warn({ name }, 'this environment variable is not a setting of Parapet');
  print(`parapet ${version} · Node ${process.versions.node} · data ${config.dataDir} · pid ${process.pid}`);
  const stopping = onStop(print);
  const { storage, applied } = await prepare(config, {
    check: ({ connection }) => requireMasterKey(connection, keyOptionsOf(config, log)),
  });
  const forcedStops = [storage.abandon];
  stopping.onForcedStop(() => {
    for (const act of forcedStops) act();
  });
  if (applied > 0) print(`✓ schema brought up to date (${countText(applied)})`);
  try {
    await runUntil(stopping.requested, { config, log, storage, onForcedStop: (act) => forcedStops.push(act) });
  } catch (error) {
    // A failed start must not keep the data folder locked.
    await storage.close('fast');
    throw error;
  }
  stopping.finish();
}

interface ServerBase {
  config: Config;
  log: Log;
  storage: DatabaseStorage;
  onForcedStop(act: () => void): void;
}

async function loadKeys({ config, log, storage }: ServerBase): Promise<KeyRing> {
  const { ring, isCreated } = await openMasterKey(storage.connection, keyOptionsOf(config, log));
  if (isCreated)
    print(
      `✓ encryption key written to ${join(config.dataDir, 'keys', 'master.key')}; ` +
        'back it up: without it a backup cannot be read',
    );
  return ring;
}

async function runUntil(stopRequested: Promise<void>, base: ServerBase): Promise<void> {
  const { config, log, storage } = base;
  const ring = await loadKeys(base);
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const pages = await loadPages({
    openapi: () => openapiOf({ rooms, shapes, version }),
    faults: () => allFaults(rooms.flatMap(({ group }) => group.operations)),
  });
  const assembly = assemble({ config, connection: storage.connection, keys: ring, log, registry, pages });
  try {
    await runAssembly(assembly, { ...base, ring, registry, stopRequested, pages });
  } catch (error) {
    await assembly.close().catch(() => undefined);
    throw error;
  }
}

interface Run extends ServerBase {
  ring: KeyRing;
  registry: Registry;
  stopRequested: Promise<void>;
  pages: StaticPages;
}

async function runAssembly(assembly: Assembly, run: Run): Promise<void> {
  const { ring, registry, config, log, storage } = run;
  await requireRoles(assembly.db);
  measureJobs(registry, assembly.db);
  measureDisks(registry, assembly.services.diskSpace);
  await assembly.nodes.join();
  // Without a spool folder, such as on a full disk, everything but uploads works.
  await assembly.services.spool.open().catch((err) => log.warn({ err }, 'the spool folder cannot be prepared'));
  await assembly.services.sandbox.open().catch((err) => log.warn({ err }, 'the sandbox folder cannot be prepared'));
  const baseUrl = await listen(config, assembly);
  const metrics = await serveMetrics({ registry, port: config.metricsPort });
  // Jobs write links, so they start when the public origin is known.
  const jobs = await jobRunnerOf(config.jobs, { assembly, connection: storage.connection, log });
  run.onForcedStop(() => jobs.kill());
  jobs.start();
  await firstRun({ config, assembly, keys: ring, baseUrl, print });
  const demoLoader = config.demo ? loadDemoAtStart({ db: assembly.db, keys: ring, log, print }) : undefined;
  print(`parapet ready ${baseUrl}`);
  const renderPages = () =>
    run.pages
      .renderAll()
      .catch((err) => log.error({ err }, 'a page cannot be rendered'))
      .then(releaseStartMemory);
  setTimeout(() => void renderPages(), RENDER_DELAY_MS).unref();
  await run.stopRequested;
  demoLoader?.stop();
  await stop({ assembly, jobs, storage, log });
  metrics?.close();
}

async function listen(config: Config, assembly: Assembly): Promise<string> {
  const { port } = await assembly.httpServer.listen(config.host, config.port).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error;
    throw new PortInUse(config.host, config.port);
  });
  const host = config.host.includes(':') ? `[${config.host}]` : config.host;
  const baseUrl = config.baseUrl || `http://${host}:${port}`;
  assembly.setBaseUrl(baseUrl);
  const isLoopback = /^(127\.|localhost$|::1$)/.test(config.host);
  print(`✓ listening on http://${host}:${port}${isLoopback ? ' (loopback only; PARAPET_HOST=0.0.0.0 opens it)' : ''}`);
  return baseUrl;
}

async function stop(parts: { assembly: Assembly; jobs: JobRunner; storage: DatabaseStorage; log: Log }): Promise<void> {
  parts.assembly.markNotReady();
  await parts.assembly.httpServer.drain(DRAIN_MS);
  await parts.jobs.stop();
  await parts.assembly.close();
  await parts.storage.stop('fast');
  parts.log.flush();
}
