import type { Database, TransactionOptions } from '#kernel/db/database.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { JobCall, JobHandler } from './handler.ts';
import type { JobFinisher } from './job-finisher.ts';
import { finishJob } from './lease.ts';
import type { LeasedJob } from './pick-jobs.ts';

/** Thrown when another worker has taken over the job; its transaction is rolled back. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';

  constructor() {
    super('The lease of this job is no longer held, so its effects are rolled back.');
  }
}

const SERVER_DEPLOYMENT = '0';

/** One attempt at one job: its effects are fenced by the lease. */
export class JobRun {
  readonly job: LeasedJob;
  readonly #db: Database;
  readonly #finisher: JobFinisher;
  readonly #abort = new AbortController();
  #isFinished = false;
  #isFinishing = false;

  constructor(db: Database, finisher: JobFinisher, job: LeasedJob) {
    this.#db = db;
    this.#finisher = finisher;
    this.job = job;
  }

  /** False while the job is being finished: a renewal would wait for that transaction. */
  get needsLease(): boolean {
    return !this.#isFinishing;
  }

  get isFinished(): boolean {
    return this.#isFinished;
  }

  abort(): void {
    this.#abort.abort(new LeaseLost());
  }

  async perform(handler: JobHandler): Promise<void> {
    const { payload, deployment, attempt } = this.job;
    const call: JobCall = {
      payload,
      deployment,
      attempt,
      signal: this.#abort.signal,
      read: (work) => this.#db.transaction(this.#scope(true), work),
      transact: (work) => this.#transact(this.#scope(false), work),
    };
    await handler.run(call);
    if (!this.#isFinished) await this.#finish();
  }

  #scope(isRead: boolean): TransactionOptions {
    const { deployment } = this.job;
    return deployment === SERVER_DEPLOYMENT ? { role: 'background', isRead } : { role: 'app', deployment, isRead };
  }

  async #finish(): Promise<void> {
    this.#isFinishing = true;
    this.#isFinished = await this.#finisher.finish(this.job).finally(() => {
      this.#isFinishing = false;
    });
    if (!this.#isFinished) throw new LeaseLost();
  }

  async #transact<Result>(scope: TransactionOptions, work: (tx: Tx) => Promise<Result>): Promise<Result> {
    try {
      const result = await this.#db.transaction(scope, async (tx) => {
        const value = await work(tx);
        this.#isFinishing = true;
        if (!(await finishJob(tx, this.job))) throw new LeaseLost();
        return value;
      });
      this.#isFinished = true;
      return result;
    } finally {
      this.#isFinishing = false;
    }
  }
}
