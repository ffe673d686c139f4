import type { Database } from '#kernel/db/database.ts';
import { type ChainQuery, type ChainVerdict, verifyChain } from './verify-chain.ts';

const MAX_RECORDS = 100_000;

/** Verifies the end of audit chains on request; requests during a verification share its verdict. */
export class ChainVerifier {
  readonly #db: Database;
  readonly #keys: ChainQuery['keys'];
  readonly #running = new Map<string, Promise<ChainVerdict>>();

  constructor(db: Database, keys: ChainQuery['keys']) {
    this.#db = db;
    this.#keys = keys;
  }

  verify(deployment: string): Promise<ChainVerdict> {
    const running = this.#running.get(deployment);
    if (running) return running;
    const verdict = verifyChain(this.#db, { deployment, keys: this.#keys, newestRecords: MAX_RECORDS }).finally(() =>
      this.#running.delete(deployment),
    );
    this.#running.set(deployment, verdict);
    return verdict;
  }
}
