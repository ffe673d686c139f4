import type pg from 'pg';
import type { Config } from '#kernel/config/config.ts';
import { startEmbedded } from '#kernel/db/embedded/embedded-server.ts';
import { InstanceLock } from '#kernel/db/embedded/instance-lock.ts';
import { EmbeddedSupervisor } from '#kernel/db/embedded/supervisor.ts';

/** The PostgreSQL that the program uses, wherever it is. */
export interface DatabaseStorage {
  connection: pg.ClientConfig;
  /** Lets go of it: a server that was found running goes on. */
  close(mode: 'fast' | 'immediate'): Promise<void>;
  /** Stops the embedded server, whoever started it. */
  stop(mode: 'fast' | 'immediate'): Promise<void>;
  /** Tells the embedded server to end at once, and does not wait for it. */
  abandon(): void;
}

const nothing = () => Promise.resolve();
const elsewhere = (databaseUrl: string): DatabaseStorage => ({
  connection: { connectionString: databaseUrl },
  close: nothing,
  stop: nothing,
  abandon: () => {},
});

/** Reaches the database beside a server that may be running; starts it only when nobody has. */
export async function connectStorage(config: Config, say: (line: string) => void): Promise<DatabaseStorage> {
  if (config.databaseUrl !== '') return elsewhere(config.databaseUrl);
  const server = await startEmbedded({ dataFolder: config.dataDir, log: say });
  return {
    connection: { ...server.connection, ssl: false },
    close: (mode) => (server.adopted ? nothing() : server.stop(mode)),
    stop: (mode) => server.stop(mode),
    abandon: () => server.abandon(),
  };
}

/** The database for a server: of the embedded one, it is the only user and the keeper. */
export async function openStorage(config: Config, say: (line: string) => void): Promise<DatabaseStorage> {
  if (config.databaseUrl !== '') return elsewhere(config.databaseUrl);
  const keeper = await EmbeddedSupervisor.start({ dataFolder: config.dataDir, log: say });
  const connection = { ...keeper.connection, ssl: false };
  const leave = (mode: 'fast' | 'immediate') => (keeper.adopted ? keeper.release() : keeper.stop(mode));
  const lock = await InstanceLock.take(connection, say).catch(async (error: unknown) => {
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
      await keeper.stop(mode);
    },
    abandon: () => keeper.abandon(),
  };
}
