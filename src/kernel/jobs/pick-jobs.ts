import { z } from 'zod';
import type { Tx } from '#kernel/db/tx.ts';

const LeasedJob = z.object({
  deployment: z.string(),
  id: z.string(),
  kind: z.string(),
  payload: z.unknown(),
  attempt: z.number(),
  maxAttempts: z.number(),
  leaseVersion: z.number(),
});

/** A job in the hands of a worker; the lease version tells its holder from all before and after. */
export type LeasedJob = z.output<typeof LeasedJob>;

/** Before the first deployment, where a round through them begins. */
export const ROUND_START = '-1';

/** Deployments looked at by one pick: bounds its cost however many have jobs. */
const VISITS_MAX = 256;

export interface JobPick {
  queue: string;
  kinds: readonly string[];
  worker: string;
  leaseMs: number;
  count: number;
  /** The round goes on with the deployment after this one. */
  after: string;
}

/**
 * Takes due jobs, an equal share of each deployment that has some: it steps through the index from deployment to
 * deployment, so a million jobs of one cost another nothing, and hands back where the next pick of the round begins.
 * The attempt counts from here on, so a job that kills its process uses up its attempts like any other.
 */
export async function pickJobs(tx: Tx, want: JobPick): Promise<{ picked: LeasedJob[]; next: string }> {
  const rows = await tx.rows`
    with recursive visited as (
      (select deployment_id, run_at, 1 as visit from job
       where queue = ${want.queue} and state = 'ready' and deployment_id > ${want.after}
       order by deployment_id, run_at limit 1)
      union all
      select found.deployment_id, found.run_at, visited.visit + 1
      from visited cross join lateral (
        select deployment_id, run_at from job
        where queue = ${want.queue} and state = 'ready' and deployment_id > visited.deployment_id
        order by deployment_id, run_at limit 1) found
      where visited.visit < ${VISITS_MAX}
    ), due as materialized (
      select deployment_id from visited where run_at <= now() order by deployment_id limit ${want.count}
    ), chosen as materialized (
      select share.deployment_id, share.id
      from due cross join lateral (
        select job.deployment_id, job.id from job
        where queue = ${want.queue} and state = 'ready' and deployment_id = due.deployment_id and run_at <= now()
          and kind = any(${want.kinds})
        order by run_at, id
        limit ${want.count}::bigint / nullif((select count(*) from due), 0)
        for update skip locked) share
    ), picked as (
      update job set state = 'running', attempt = attempt + 1, lease_version = lease_version + 1,
        lease_until = now() + ${want.leaseMs} * interval '1 millisecond', worker = ${want.worker}
      from chosen where job.deployment_id = chosen.deployment_id and job.id = chosen.id
      returning job.deployment_id, job.id, kind, payload, attempt, max_attempts, lease_version
    ), round as (
      select case when (select count(*) from due) = ${want.count} then (select max(deployment_id) from due)
                  when (select count(*) from visited) = ${VISITS_MAX} then (select max(deployment_id) from visited)
                  else ${ROUND_START} end as next
    )
    select round.next, picked.deployment_id as deployment, picked.id, picked.kind, picked.payload, picked.attempt,
           picked.max_attempts as "maxAttempts", picked.lease_version as "leaseVersion"
    from round left join picked on true`;
  const picked = rows.filter((row) => row['id'] !== null).map((row) => LeasedJob.parse(row));
  return { picked, next: String(rows[0]?.['next']) };
}
