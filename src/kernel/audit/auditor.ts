import type { Database } from '#kernel/db/database.ts';
import { type Question, type Verdict, verifyChain } from './verify.ts';

const NEWEST = 100_000;

/** Verifies the end of audit chains for those who ask; who asks while it goes on gets the same verdict. */
export class Auditor {
  readonly #db: Database;
  readonly #keys: Question['keys'];
  readonly #underWay = new Map<string, Promise<Verdict>>();

  constructor(db: Database, keys: Question['keys']) {
    this.#db = db;
    this.#keys = keys;
  }

  verify(deployment: string): Promise<Verdict> {
    const known = this.#underWay.get(deployment);
    if (known) return known;
    const verdict = verifyChain(this.#db, { deployment, keys: this.#keys, newest: NEWEST }).finally(() =>
      this.#underWay.delete(deployment),
    );
    this.#underWay.set(deployment, verdict);
    return verdict;
  }
}
