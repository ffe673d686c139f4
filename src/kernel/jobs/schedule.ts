import type { z } from 'zod';
import type { Database } from '#kernel/db/database.ts';
import type { Log } from '#kernel/log/log.ts';
import { failureText } from './failure-text.ts';
import { enqueue, type JobKind } from './job.ts';

export interface RecurringJob {
  readonly periodMs: number;
  readonly kind: JobKind;
  readonly payload: Record<string, unknown>;
}

/** Declares a recurring job of the server: `every(60_000, checkpoint, {})`. */
export const every = <Payload extends z.ZodObject>(
  periodMs: number,
  kind: JobKind<Payload>,
  payload: z.output<Payload>,
): RecurringJob => ({ periodMs, kind, payload });

/** Enqueues a recurring job unless another server already did in this period; true when it was enqueued. */
export async function enqueueIfDue(db: Database, { periodMs, kind, payload }: RecurringJob): Promise<boolean> {
  return db.transaction({ role: 'background', isRead: false }, async (tx) => {
    const claimed = await tx.run`
      insert into job_schedule (kind, period_at)
      values (${kind.kind}, date_bin(${periodMs} * interval '1 millisecond', now(), timestamptz 'epoch'))
      on conflict (kind) do update set period_at = excluded.period_at
      where job_schedule.period_at < excluded.period_at`;
    // The key prevents jobs from piling up while no worker runs.
    return claimed === 1 && (await enqueue(tx, kind, { deployment: '0', payload, uniqueKey: 'recurring' }));
  });
}

/** Enqueues recurring jobs; every server runs a schedule, and together they enqueue one job per period. */
export class Schedule {
  readonly #options: { db: Database; log: Log; recurring: readonly RecurringJob[] };
  readonly #ticking = new Set<Promise<void>>();
  #timers: NodeJS.Timeout[] = [];

  constructor(options: { db: Database; log: Log; recurring: readonly RecurringJob[] }) {
    this.#options = options;
  }

  start(): void {
    this.#timers = this.#options.recurring.map((recurring) => {
      this.#tick(recurring);
      return setInterval(() => this.#tick(recurring), recurring.periodMs);
    });
  }

  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await Promise.all(this.#ticking);
  }

  #tick(recurring: RecurringJob): void {
    const { db, log } = this.#options;
    const ticking: Promise<void> = enqueueIfDue(db, recurring)
      .then(() => undefined)
      .catch((error: unknown) =>
        log.warn({ reason: failureText(error), kind: recurring.kind.kind }, 'Could not enqueue a recurring job.'),
      )
      .finally(() => this.#ticking.delete(ticking));
    this.#ticking.add(ticking);
  }
}
