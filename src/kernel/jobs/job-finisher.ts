import type { Database } from '#kernel/db/database.ts';
import { finishJobs } from './lease.ts';
import type { LeasedJob } from './pick-jobs.ts';

interface Ending {
  job: LeasedJob;
  settle: PromiseWithResolvers<boolean>;
}

/** Ends jobs that commit nothing of their own: those that end while a statement is on its way share the next one. */
export class JobFinisher {
  readonly #db: Database;
  #waiting: Ending[] = [];
  #isBusy = false;

  constructor(db: Database) {
    this.#db = db;
  }

  /** False when the lease was lost. */
  finish(job: LeasedJob): Promise<boolean> {
    const settle = Promise.withResolvers<boolean>();
    this.#waiting.push({ job, settle });
    if (!this.#isBusy) void this.#drain();
    return settle.promise;
  }

  async #drain(): Promise<void> {
    this.#isBusy = true;
    while (this.#waiting.length > 0) {
      const endings = this.#waiting;
      this.#waiting = [];
      const jobs = endings.map(({ job }) => job);
      await this.#db
        .transaction({ role: 'background', isRead: false }, (tx) => finishJobs(tx, jobs))
        .then(
          (held) => endings.map(({ job, settle }) => settle.resolve(held.has(job.id))),
          (error) => endings.map(({ settle }) => settle.reject(error)),
        );
    }
    this.#isBusy = false;
  }
}
