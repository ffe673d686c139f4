import { randomUUID } from 'node:crypto';
import type { Log } from '#kernel/log/log.ts';
import type { Database } from './database.ts';

const BEAT_MS = 5_000;
const LOST_SECONDS = 20;

/** Knows how many servers share this database, by a sign of life that each gives every few seconds. */
export class NodeRegistry {
  readonly id = randomUUID();
  readonly #db: Database;
  readonly #log: Log;
  #count = 1;
  #timer: NodeJS.Timeout | undefined;

  constructor(db: Database, log: Log) {
    this.#db = db;
    this.#log = log;
  }

  get count(): number {
    return this.#count;
  }

  async join(): Promise<void> {
    await this.#beat();
    this.#timer = setInterval(() => void this.#beat(), BEAT_MS).unref();
  }

  async #beat(): Promise<void> {
    try {
      this.#count = await this.#db.transaction({ role: 'background', isRead: false }, async (tx) => {
        await tx.run`delete from node where seen_at < now() - make_interval(secs => ${LOST_SECONDS})`;
        const [row] = await tx.rows`
          with mine as (insert into node (id) values (${this.id})
                        on conflict (id) do update set seen_at = now() returning id)
          select count(*) filter (where node.id <> ${this.id}) + 1 as count from node`;
        return Number(row?.['count'] ?? 1);
      });
    } catch (error) {
      this.#log.warn({ err: error }, 'this server could not give its sign of life');
    }
  }

  /** Gives this server's share back to the others. */
  async leave(): Promise<void> {
    if (this.#timer === undefined) return;
    clearInterval(this.#timer);
    try {
      await this.#db.transaction(
        { role: 'background', isRead: false },
        (tx) => tx.run`delete from node where id = ${this.id}`,
      );
    } catch {
      this.#log.warn('this server could not sign off; the others notice within seconds');
    }
  }
}
