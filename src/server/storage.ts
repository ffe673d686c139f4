import type pg from 'pg';
import { type Config, readConfig } from '#kernel/config/config.ts';
import { Database } from '#kernel/db/database.ts';
import { startEmbedded } from '#kernel/db/embedded/embedded-server.ts';
import { InstanceLock } from '#kernel/db/embedded/instance-lock.ts';
import { locateCluster } from '#kernel/db/embedded/placement.ts';
import { findRunning } from '#kernel/db/embedded/postmaster.ts';
import { EmbeddedSupervisor } from '#kernel/db/embedded/supervisor.ts';
import { InstanceCheck } from '#kernel/db/instance-check.ts';
import { DatabaseUnreachable } from '#kernel/db/migrate/migrate.ts';

/** The PostgreSQL that the program uses, embedded or external. */
export interface DatabaseStorage {
  connection: pg.ClientConfig;
  /** Releases it: a server that was already running keeps running. */
  close(mode: 'fast' | 'immediate'): Promise<void>;
  /** Stops the embedded server, whoever started it. */
  stop(mode: 'fast' | 'immediate'): Promise<void>;
  /** Kills the embedded server without waiting. */
  abandon(): void;
}

const doNothing = () => Promise.resolve();
const externalStorage = (databaseUrl: string): DatabaseStorage => ({
  connection: { connectionString: databaseUrl },
  close: doNothing,
  stop: doNothing,
  abandon: () => {},
});

/** Connects to the database while a server may be running; starts the embedded one only if it is not running. */
export async function connectStorage(config: Config, print: (line: string) => void): Promise<DatabaseStorage> {
  if (config.databaseUrl !== '') return externalStorage(config.databaseUrl);
  const server = await startEmbedded({ dataFolder: config.dataDir, log: print });
  return {
    connection: { ...server.connection, ssl: false },
    close: (mode) => (server.adopted ? doNothing() : server.stop(mode)),
    stop: (mode) => server.stop(mode),
    abandon: () => server.abandon(),
  };
}

/** Opens the database for a server, which is the only user and the supervisor of the embedded one. */
export async function openStorage(config: Config, print: (line: string) => void): Promise<DatabaseStorage> {
  if (config.databaseUrl !== '') return externalStorage(config.databaseUrl);
  const supervisor = await EmbeddedSupervisor.start({ dataFolder: config.dataDir, log: print });
  const connection = { ...supervisor.connection, ssl: false };
  const leave = (mode: 'fast' | 'immediate') => (supervisor.adopted ? supervisor.release() : supervisor.stop(mode));
  const lock = await InstanceLock.take(connection, print).catch(async (error: unknown) => {
    await leave('fast');
    throw error;
  });
  return {
    connection,
    close: async (mode) => {
      await lock.release();
      await leave(mode);
    },
    stop: async (mode) => {
      await lock.release();
      await supervisor.stop(mode);
    },
    abandon: () => supervisor.abandon(),
  };
}

/** Connects to the database beside the servers that use it; the embedded one must be running. */
export async function joinStorage(config: Config): Promise<pg.ClientConfig> {
  if (config.databaseUrl !== '') return { connectionString: config.databaseUrl };
  const found = await findRunning(await locateCluster(config.dataDir));
  if (!('pid' in found))
    throw new DatabaseUnreachable(
      `No server runs on the data folder ${config.dataDir}. Start one with \`parapet serve\`, choose its ` +
        'PARAPET_DATA_DIR, or set PARAPET_DATABASE_URL to the PostgreSQL of the servers.',
    );
  return { ...found.connection, ssl: false };
}

/** Tells whether the database is a restored copy. */
export const instanceCheckOf = ({ databaseUrl, dataDir }: Config, db: Database): InstanceCheck =>
  new InstanceCheck({ db, folder: databaseUrl === '' ? dataDir : undefined });

/** Lets a restored copy of a database send; works while a server runs, which notices within a minute. */
export async function releaseCopy(): Promise<void> {
  const config = readConfig();
  const storage = await connectStorage(config, (line) => console.log(line));
  const db = new Database({ connection: storage.connection, poolMax: 2, onError: (error) => console.warn(error) });
  const wasCopy = await instanceCheckOf(config, db).release();
  console.log(wasCopy ? '✓ this copy now sends what waits' : 'this database is not a copy: it sends already');
  await db.close();
  await storage.close('fast');
}
