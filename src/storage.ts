import type pg from 'pg';
import type { Config } from '#kernel/config/config.ts';
import { startEmbedded } from '#kernel/db/embedded.ts';
import { InstanceLock } from '#kernel/db/instance-lock.ts';

/** The PostgreSQL that the program uses, wherever it is. */
export interface Storage {
  connection: pg.ClientConfig;
  /** Lets go of it: a server that was found running goes on. */
  close(mode: 'fast' | 'immediate'): Promise<void>;
  /** Stops the embedded server, whoever started it. */
  stop(mode: 'fast' | 'immediate'): Promise<void>;
  /** Tells the embedded server to end at once, and does not wait for it. */
  abandon(): void;
}

const nothing = () => Promise.resolve();

/** Reaches the database beside a server that may be running; starts it only when nobody has. */
export async function connectStorage(config: Config, say: (line: string) => void): Promise<Storage> {
  if (config.databaseUrl !== '')
    return { connection: { connectionString: config.databaseUrl }, close: nothing, stop: nothing, abandon: () => {} };
  const server = await startEmbedded({ dataFolder: config.dataDir, log: say });
  return {
    connection: { ...server.connection, ssl: false },
    close: (mode) => (server.adopted ? Promise.resolve() : server.stop(mode)),
    stop: (mode) => server.stop(mode),
    abandon: () => void process.kill(server.pid, 'SIGQUIT'),
  };
}

/** The database for a server: of the embedded one, it is the only user. */
export async function openStorage(config: Config, say: (line: string) => void): Promise<Storage> {
  const storage = await connectStorage(config, say);
  if (config.databaseUrl !== '') return storage;
  const lock = await InstanceLock.take(storage.connection).catch(async (error: unknown) => {
    await storage.close('fast');
    throw error;
  });
  return {
    connection: storage.connection,
    close: storage.close,
    abandon: storage.abandon,
    stop: async (mode) => {
      await lock.release();
      await storage.stop(mode);
    },
  };
}
