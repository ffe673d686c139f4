import type pg from 'pg';
import type { Database } from '#kernel/db/database.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { Log } from '#kernel/log/log.ts';
import { backoffMs } from './backoff.ts';
import { failureText } from './failure-text.ts';
import type { JobHandler } from './handler.ts';
import { MAIN_QUEUE } from './job.ts';
import { JobFinisher } from './job-finisher.ts';
import { JobRun, LeaseLost } from './job-run.ts';
import { failJob, reclaimLapsedJobs, renewLeases, returnJobs } from './lease.ts';
import { JobListener } from './listener.ts';
import { type LeasedJob, pickJobs, ROUND_START } from './pick-jobs.ts';

export interface WorkerTiming {
  leaseMs: number;
  /** 0 lets leases expire; tests use it to simulate a frozen worker. */
  heartbeatMs: number;
  /** How often it polls: for jobs that became due, for expired leases, and for lost notices. */
  pollMs: number;
  /** How long a stop waits for running jobs. */
  graceMs: number;
}

const DEFAULT_TIMING: WorkerTiming = { leaseMs: 30_000, heartbeatMs: 10_000, pollMs: 2000, graceMs: 10_000 };

export interface JobWorkerOptions {
  db: Database;
  /** For the connection that listens. */
  connection: pg.ClientConfig;
  handlers: readonly JobHandler[];
  log: Log;
  workerId: string;
  concurrency?: number;
  queue?: string;
  timing?: Partial<WorkerTiming>;
}

/**
 * Runs the jobs of a queue, as one of any number of workers on any number of machines.
 * Only the clock of the database is used, because the clocks of machines differ.
 */
export class JobWorker {
  readonly #options: Required<Omit<JobWorkerOptions, 'handlers' | 'timing'>>;
  readonly #timing: WorkerTiming;
  readonly #handlers: ReadonlyMap<string, JobHandler>;
  readonly #wake: JobListener;
  readonly #finisher: JobFinisher;
  readonly #running = new Map<JobRun, Promise<void>>();
  #timers: NodeJS.Timeout[] = [];
  #filling: Promise<void> | undefined;
  #after = ROUND_START;
  #hasNotice = false;
  #isStopping = false;

  constructor({ handlers, timing, ...options }: JobWorkerOptions) {
    this.#options = { concurrency: 8, queue: MAIN_QUEUE, ...options };
    this.#timing = { ...DEFAULT_TIMING, ...timing };
    this.#handlers = new Map(handlers.map((handler) => [handler.kind.kind, handler]));
    this.#finisher = new JobFinisher(options.db);
    this.#wake = new JobListener({ connection: options.connection, log: options.log, onNotice: () => this.#fill() });
  }

  start(): void {
    const { heartbeatMs, pollMs } = this.#timing;
    this.#wake.start();
    this.#timers = [setInterval(() => void this.#poll(), pollMs)];
    if (heartbeatMs > 0) this.#timers.push(setInterval(() => void this.#heartbeat(), heartbeatMs));
    this.#fill();
  }

  /** Takes no more jobs, waits for the running ones for a while, and requeues those that take longer. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#wake.stop();
    await this.#filling;
    await this.#settle();
    for (const timer of this.#timers) clearInterval(timer);
    const unfinished = [...this.#running.keys()];
    if (unfinished.length === 0) return;
    await this.#try('Could not requeue jobs; their leases will expire.', async (tx) => {
      await returnJobs(
        tx,
        unfinished.map((run) => run.job),
      );
    });
    for (const run of unfinished) run.abort();
  }

  async #settle(): Promise<void> {
    const grace = Promise.withResolvers<void>();
    const timer = setTimeout(grace.resolve, this.#timing.graceMs);
    await Promise.race([Promise.all(this.#running.values()), grace.promise]);
    clearTimeout(timer);
  }

  /** Fills the free slots; a notice that arrives in the meantime makes it look once more. */
  #fill(): void {
    this.#hasNotice = true;
    if (this.#filling !== undefined || this.#isStopping) return;
    this.#filling = this.#fillUntilIdle().finally(() => {
      this.#filling = undefined;
      if (this.#hasNotice && this.#hasRoom) this.#fill();
    });
  }

  /** True when half of the slots are free, so that a busy queue is picked in batches. */
  get #hasRoom(): boolean {
    return this.#running.size <= this.#options.concurrency / 2;
  }

  async #fillUntilIdle(): Promise<void> {
    while (this.#hasNotice && this.#hasRoom && !this.#isStopping) {
      this.#hasNotice = false;
      const picked = await this.#pick(this.#options.concurrency - this.#running.size);
      for (const job of picked) this.#begin(job);
      if (picked.length > 0) this.#hasNotice = true;
    }
  }

  /** Continues the round through the deployments until there are jobs, at most once around. */
  async #pick(count: number): Promise<LeasedJob[]> {
    const { queue, workerId } = this.#options;
    const kinds = [...this.#handlers.keys()];
    let endsLeft = this.#after === ROUND_START ? 1 : 2;
    while (endsLeft > 0) {
      const request = { queue, kinds, worker: workerId, leaseMs: this.#timing.leaseMs, count, after: this.#after };
      const found = await this.#try('Could not look for jobs.', (tx) => pickJobs(tx, request));
      if (found === undefined) return [];
      this.#after = found.next;
      if (found.picked.length > 0) return found.picked;
      if (found.next === ROUND_START) endsLeft--;
    }
    return [];
  }

  #begin(job: LeasedJob): void {
    const run = new JobRun(this.#options.db, this.#finisher, job);
    const ended = this.#perform(run).finally(() => {
      this.#running.delete(run);
      if (this.#hasNotice) this.#fill();
    });
    this.#running.set(run, ended);
  }

  async #perform(run: JobRun): Promise<void> {
    const { deployment, id, kind, attempt } = run.job;
    const fields = { job: id, deployment, kind, attempt };
    const handler = this.#handlers.get(kind);
    try {
      if (handler) await run.perform(handler);
    } catch (error) {
      const reason = failureText(error);
      if (error instanceof LeaseLost) this.#options.log.warn(fields, 'Another worker took over this job.');
      else if (run.isFinished)
        this.#options.log.warn({ ...fields, reason }, 'The work failed after the job was finished.');
      else await this.#fail(run.job, reason);
    }
  }

  async #fail(job: LeasedJob, reason: string): Promise<void> {
    const { deployment, id, kind, attempt } = job;
    const returned = await this.#try('Could not record that a job failed; its lease will expire.', (tx) =>
      failJob(tx, job, { text: reason, delayMs: backoffMs(attempt) }),
    );
    const fields = { job: id, deployment, kind, attempt, reason };
    if (returned?.state === 'dead') this.#options.log.error(fields, 'A job failed for the last time and was given up.');
    else this.#options.log.warn(fields, 'A job failed and will be tried again.');
  }

  async #poll(): Promise<void> {
    const expired = await this.#try('Could not look for expired leases.', reclaimLapsedJobs);
    for (const job of expired ?? []) {
      const level = job.state === 'dead' ? 'error' : 'warn';
      this.#options.log[level]({ ...job, job: job.id }, 'The worker of this job stopped or hung.');
    }
    this.#fill();
  }

  async #heartbeat(): Promise<void> {
    const runs = [...this.#running.keys()].filter((run) => run.needsLease);
    if (runs.length === 0) return;
    const jobs = runs.map((run) => run.job);
    const held = await this.#try('Could not renew leases.', (tx) => renewLeases(tx, jobs, this.#timing.leaseMs));
    if (held === undefined) return;
    for (const run of runs) if (!held.has(run.job.id) && !run.isFinished) run.abort();
  }

  /** An outage does not stop the worker: it is logged, and the next poll tries again. */
  async #try<Result>(message: string, work: (tx: Tx) => Promise<Result>): Promise<Result | undefined> {
    try {
      return await this.#options.db.transaction({ role: 'background', isRead: false }, work);
    } catch (error) {
      this.#options.log.warn({ reason: failureText(error) }, message);
      return undefined;
    }
  }
}
