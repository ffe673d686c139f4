import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { EmbeddedUnavailable } from '#kernel/db/embedded/embedded-unavailable.ts';

/** Thrown when another server already uses the database. */
export class InstanceTaken extends EmbeddedUnavailable {
  override readonly name: string = 'InstanceTaken';
  override readonly exitCode = 6;
}

const NAME_PREFIX = 'parapet-server:';
/** The first key of the advisory lock; no other lock of this program uses it. */
const LOCK_CLASS = 1_885_434_482;
const LOCK_OBJECT = 1;
/** The session of a killed server ends within milliseconds; a live server holds its lock for longer than this. */
const MAX_WAIT_MS = 1500;
const RETAKE_DELAY_MS = 1000;
const LOCK_NOT_AVAILABLE = '55P03';

const HOLDER = `select activity.application_name as name
  from pg_locks lock join pg_stat_activity activity using (pid)
  where lock.locktype = 'advisory' and lock.granted
    and lock.database = (select oid from pg_database where datname = current_database())
    and lock.classid = $1 and lock.objid = $2 and lock.objsubid = 2`;

/** Allows one server at a time on a database: a session holds the lock, so it is released when the process dies. */
export class InstanceLock {
  readonly #connection: pg.ClientConfig;
  readonly #log: (line: string) => void;
  #client: pg.Client | undefined;
  #isReleased = false;

  /** All servers must connect to the same database, because advisory locks are per database. */
  static async take(connection: pg.ClientConfig, log: (line: string) => void = () => undefined): Promise<InstanceLock> {
    const lock = new InstanceLock(connection, log);
    await lock.#hold();
    return lock;
  }

  private constructor(connection: pg.ClientConfig, log: (line: string) => void) {
    this.#connection = connection;
    this.#log = log;
  }

  async release(): Promise<void> {
    this.#isReleased = true;
    await this.#client?.end().catch(() => undefined);
  }

  async #hold(): Promise<void> {
    const client = new pg.Client({
      ...this.#connection,
      application_name: `${NAME_PREFIX}${process.pid}`,
      keepAlive: true,
    });
    // Without a listener, a restart of the database would end the process.
    client.on('error', () => undefined);
    try {
      await client.connect();
      await lockOrRefuse(client);
    } catch (error) {
      await client.end().catch(() => undefined);
      throw error;
    }
    this.#client = client;
    client.once('end', () => void this.#retake());
  }

  async #retake(): Promise<void> {
    let hasLogged = false;
    while (!this.#isReleased) {
      try {
        await this.#hold();
        if (this.#isReleased) await this.release();
        return;
      } catch (error) {
        if (error instanceof InstanceTaken && !hasLogged) this.#log(error.message);
        hasLogged ||= error instanceof InstanceTaken;
        await sleep(RETAKE_DELAY_MS, undefined, { ref: false });
      }
    }
  }
}

async function lockOrRefuse(client: pg.Client): Promise<void> {
  await client.query(`set lock_timeout = ${MAX_WAIT_MS}`);
  try {
    await client.query('select pg_advisory_lock($1, $2)', [LOCK_CLASS, LOCK_OBJECT]);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== LOCK_NOT_AVAILABLE) throw error;
    const { rows } = await client.query<{ name: string }>(HOLDER, [LOCK_CLASS, LOCK_OBJECT]);
    const [holder] = rows;
    const pid = holder?.name.startsWith(NAME_PREFIX) ? ` (pid ${holder.name.slice(NAME_PREFIX.length)})` : '';
    throw new InstanceTaken(
      `Another Parapet server${pid} already uses this data folder: stop it, or choose another PARAPET_DATA_DIR.`,
    );
  }
}
