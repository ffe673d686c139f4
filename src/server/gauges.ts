import { Gauge, type Registry } from 'prom-client';
import type { Database } from '#kernel/db/database.ts';
import { type JobStats, jobStats } from '#kernel/jobs/job-stats.ts';
import type { DiskSpace } from '#kernel/spool/disk-space.ts';

/** While the database does not answer these are NaN, so that the other metrics can still be read. */
export function measureJobs(registry: Registry, db: Pick<Database, 'transaction'>): void {
  const read = () => db.transaction({ role: 'background', isRead: true }, jobStats);
  const gauge = (name: string, help: string, pick: (found: JobStats) => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        this.set(await read().then(pick, () => Number.NaN));
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

export function measureDisks(registry: Registry, diskSpace: Pick<DiskSpace, 'list'>): void {
  new Gauge({
    name: 'parapet_disk_free_bytes',
    help: 'Free bytes on the disk of the spool folder and of the embedded database.',
    labelNames: ['disk'],
    registers: [registry],
    async collect() {
      for (const { name, freeBytes } of await diskSpace.list()) this.set({ disk: name }, freeBytes);
    },
  });
}
