import type { Database } from '#kernel/db/database.ts';
import { type ChainQuery, type ChainVerdict, verifyChain } from './verify-chain.ts';

const NEWEST = 100_000;

/** Verifies the end of audit chains for those who ask; who asks while it goes on gets the same verdict. */
export class ChainVerifier {
  readonly #db: Database;
  readonly #keys: ChainQuery['keys'];
  readonly #underWay = new Map<string, Promise<ChainVerdict>>();

  constructor(db: Database, keys: ChainQuery['keys']) {
    this.#db = db;
    this.#keys = keys;
  }

  verify(deployment: string): Promise<ChainVerdict> {
    const known = this.#underWay.get(deployment);
    if (known) return known;
    const verdict = verifyChain(this.#db, { deployment, keys: this.#keys, newestRecords: NEWEST }).finally(() =>
      this.#underWay.delete(deployment),
    );
    this.#underWay.set(deployment, verdict);
    return verdict;
  }
}
