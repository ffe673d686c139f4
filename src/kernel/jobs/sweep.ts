import type { Database } from '#kernel/db/database.ts';
import { type JobHandler, jobHandler } from './handler.ts';
import { job } from './job.ts';
import { every } from './schedule.ts';

const DONE_RETENTION_HOURS = 24;
const DEAD_RETENTION_HOURS = 24 * 30;
const BATCH = 5000;
const HOUR_MS = 3_600_000;

export const jobSweep = job({ kind: 'job.sweep', payload: {}, isUrgent: false });

export const sweepSchedule = every(HOUR_MS, jobSweep, {});

/** Deletes jobs that ended long ago, a batch per transaction; returns how many. */
export async function sweepJobs(db: Database, signal?: AbortSignal): Promise<number> {
  let total = 0;
  for (let count = BATCH; count === BATCH && !signal?.aborted; total += count)
    count = await db.transaction(
      { role: 'background', isRead: false },
      (tx) => tx.run`
        delete from job using (
          select deployment_id, id from job
          where finished_at < now() - ${DONE_RETENTION_HOURS}::integer * interval '1 hour'
            and (state <> 'dead' or finished_at < now() - ${DEAD_RETENTION_HOURS}::integer * interval '1 hour')
          order by finished_at limit ${BATCH} for update skip locked) old
        where job.deployment_id = old.deployment_id and job.id = old.id`,
    );
  return total;
}

export const sweepHandler = (db: Database): JobHandler =>
  jobHandler(jobSweep, async ({ signal }) => void (await sweepJobs(db, signal)));
