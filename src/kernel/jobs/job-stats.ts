import type { Tx } from '#kernel/db/tx.ts';

export interface JobStats {
  ready: number;
  oldestReadySeconds: number;
  dead: number;
}

/** How the queues stand: due jobs that wait, how long the oldest has been due, and jobs that were given up. */
export async function jobStats(tx: Tx): Promise<JobStats> {
  const [row] = await tx.rows`
    select count(*)::integer as ready,
           coalesce(extract(epoch from now() - min(run_at)), 0)::float8 as "oldestReadySeconds",
           (select count(*)::integer from job where state = 'dead') as dead
    from job where state = 'ready' and run_at <= now()`;
  return {
    ready: Number(row?.['ready']),
    oldestReadySeconds: Number(row?.['oldestReadySeconds']),
    dead: Number(row?.['dead']),
  };
}
