import type { Database } from '#kernel/db/database.ts';

const FLUSH_MS = 30_000;

interface Use {
  deployment: string;
  id: string;
  address: string;
}

/** Buffers the last use of tokens and writes it at most twice a minute, so that reads do not cause writes. */
export class TokenUsageRecorder {
  readonly #used = new Map<string, Use & { at: Date }>();
  readonly #db: Database;
  readonly #clock: () => Date;
  #timer: NodeJS.Timeout | undefined;

  constructor(db: Database, clock: () => Date) {
    this.#db = db;
    this.#clock = clock;
  }

  record(use: Use): void {
    this.#used.set(`${use.deployment}/${use.id}`, { ...use, at: this.#clock() });
    this.#timer ??= setTimeout(() => void this.flush(), FLUSH_MS).unref();
  }

  /** Never throws: uses that cannot be written are kept for the next flush. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const used = [...this.#used.values()];
    this.#used.clear();
    if (used.length === 0) return;
    try {
      await this.#db.transaction(
        { role: 'background', isRead: false },
        (tx) => tx.run`
        update api_token set last_used_at = used.at, last_used_address = used.address
        from unnest(${used.map((use) => use.deployment)}::bigint[], ${used.map((use) => use.id)}::bigint[],
                    ${used.map((use) => use.at.toISOString())}::timestamptz[],
                    ${used.map((use) => use.address)}::text[]) as used (deployment_id, id, at, address)
        where api_token.deployment_id = used.deployment_id and api_token.id = used.id`,
      );
    } catch {
      for (const use of used) this.#used.set(`${use.deployment}/${use.id}`, use);
    }
  }
}
