import { Gauge, type Registry } from 'prom-client';
import type { Database } from '#kernel/db/database.ts';
import { type JobStats, jobStats } from '#kernel/jobs/job-stats.ts';

/** Adds the gauges of the job queue, which is the same for all processes on a database. */
export function measureJobs(registry: Registry, db: Database): void {
  const read = () => db.transaction({ role: 'background', isRead: true }, jobStats);
  const gauge = (name: string, help: string, pick: (found: JobStats) => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        this.set(pick(await read()));
      },
    });
  gauge('parapet_jobs_ready', 'Jobs that are due and waiting.', ({ ready }) => ready);
  gauge(
    'parapet_jobs_oldest_seconds',
    'How long the oldest waiting job has been due.',
    (found) => found.oldestReadySeconds,
  );
  gauge('parapet_jobs_dead', 'Jobs that failed for the last time.', ({ dead }) => dead);
}
