import { readConfig } from '#kernel/config/config.ts';
import { Database } from '#kernel/db/database.ts';
import { makeLog } from '#kernel/log/log.ts';
import { instanceCheckOf } from './instance-check-of.ts';
import { connectStorage } from './storage.ts';

/** Lets a restored copy of a database send; works while a server runs, which notices within a minute. */
export async function release(): Promise<void> {
  const config = readConfig();
  const log = makeLog('warn');
  const storage = await connectStorage(config, (line) => console.log(line));
  const db = new Database({ connection: storage.connection, poolMax: 2, onError: (error) => log.warn({ err: error }) });
  const wasCopy = await instanceCheckOf(config, db).release();
  console.log(wasCopy ? '✓ this copy now sends what waits' : 'this database is not a copy: it sends already');
  await db.close();
  await storage.close('fast');
}
