import type { Database } from '#kernel/db/database.ts';
import { finishJobs } from './lease.ts';
import type { LeasedJob } from './pick-jobs.ts';

interface PendingFinish {
  job: LeasedJob;
  result: PromiseWithResolvers<boolean>;
}

/** Marks jobs as done that commit nothing themselves; jobs that end while a statement runs share the next one. */
export class JobFinisher {
  readonly #db: Database;
  #waiting: PendingFinish[] = [];
  #isBusy = false;

  constructor(db: Database) {
    this.#db = db;
  }

  /** False when the lease was lost. */
  finish(job: LeasedJob): Promise<boolean> {
    const result = Promise.withResolvers<boolean>();
    this.#waiting.push({ job, result });
    if (!this.#isBusy) void this.#drain();
    return result.promise;
  }

  async #drain(): Promise<void> {
    this.#isBusy = true;
    while (this.#waiting.length > 0) {
      const pending = this.#waiting;
      this.#waiting = [];
      const jobs = pending.map(({ job }) => job);
      await this.#db
        .transaction({ role: 'background', isRead: false }, (tx) => finishJobs(tx, jobs))
        .then(
          (finished) => pending.map(({ job, result }) => result.resolve(finished.has(job.id))),
          (error) => pending.map(({ result }) => result.reject(error)),
        );
    }
    this.#isBusy = false;
  }
}
