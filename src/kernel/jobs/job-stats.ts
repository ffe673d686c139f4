import { z } from 'zod';
import type { Tx } from '#kernel/db/tx.ts';

const JobStats = z.object({ ready: z.number(), oldestReadySeconds: z.number(), dead: z.number() });

export type JobStats = z.output<typeof JobStats>;

/** The number of due jobs, how long the oldest has been due, and the number of dead jobs. */
export async function jobStats(tx: Tx): Promise<JobStats> {
  const found = await tx.one(JobStats)`
    select count(*)::integer as ready,
           coalesce(extract(epoch from now() - min(run_at)), 0)::float8 as "oldestReadySeconds",
           (select count(*)::integer from job where state = 'dead') as dead
    from job where state = 'ready' and run_at <= now()`;
  return found ?? { ready: 0, oldestReadySeconds: 0, dead: 0 };
}
