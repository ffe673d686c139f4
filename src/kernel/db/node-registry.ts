import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Log } from '#kernel/log/log.ts';
import type { Database } from './database.ts';

const HEARTBEAT_MS = 5_000;
const TIMEOUT_SECONDS = 20;

const Count = z.object({ count: z.string() });

/** Counts the servers that share this database, by the heartbeat that each writes every few seconds. */
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
    await this.#heartbeat();
    this.#timer = setInterval(() => void this.#heartbeat(), HEARTBEAT_MS).unref();
  }

  async #heartbeat(): Promise<void> {
    try {
      this.#count = await this.#db.transaction({ role: 'background', isRead: false }, async (tx) => {
        await tx.run`delete from node where seen_at < now() - make_interval(secs => ${TIMEOUT_SECONDS})`;
        const others = await tx.one(Count)`
          with mine as (insert into node (id) values (${this.id})
                        on conflict (id) do update set seen_at = now() returning id)
          select count(*) filter (where node.id <> ${this.id}) + 1 as count from node`;
        return Number(others?.count ?? 1);
      });
    } catch (error) {
      this.#log.warn({ err: error }, 'the heartbeat of this server could not be written');
    }
  }

  /** Removes this server, so that the others divide the rate limits anew. */
  async leave(): Promise<void> {
    if (this.#timer === undefined) return;
    clearInterval(this.#timer);
    try {
      await this.#db.transaction(
        { role: 'background', isRead: false },
        (tx) => tx.run`delete from node where id = ${this.id}`,
      );
    } catch {
      this.#log.warn('this server could not be removed from the registry; its entry expires within seconds');
    }
  }
}
