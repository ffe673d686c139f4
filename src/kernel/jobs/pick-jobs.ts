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

/** A job that a worker has leased; the lease version identifies this lease among earlier and later ones. */
export type LeasedJob = z.output<typeof LeasedJob>;

/** A leased job, or none, with the deployment after which the next pick continues. */
const PickRow = z.union([LeasedJob.extend({ next: z.string() }), z.object({ next: z.string() })]);

/** Sorts before every deployment: where a round through the deployments begins. */
export const ROUND_START = '-1';

/** The largest number of deployments that one pick visits, which bounds its cost. */
const MAX_VISITS = 256;

export interface JobPick {
  queue: string;
  kinds: readonly string[];
  worker: string;
  leaseMs: number;
  count: number;
  /** The round continues after this deployment. */
  after: string;
}

/**
 * Leases due jobs, an equal share of each deployment: it steps through the index from deployment to deployment, so a
 * million jobs of one do not delay another, and returns where the next pick continues. The attempt is counted here, so
 * a job that kills its process uses up its attempts like any other.
 */
export async function pickJobs(tx: Tx, request: JobPick): Promise<{ picked: LeasedJob[]; next: string }> {
  const rows = await tx.all(PickRow)`
    with recursive visited as (
      (select deployment_id, run_at, 1 as visit from job
       where queue = ${request.queue} and state = 'ready' and deployment_id > ${request.after}
       order by deployment_id, run_at limit 1)
      union all
      select found.deployment_id, found.run_at, visited.visit + 1
      from visited cross join lateral (
        select deployment_id, run_at from job
        where queue = ${request.queue} and state = 'ready' and deployment_id > visited.deployment_id
        order by deployment_id, run_at limit 1) found
      where visited.visit < ${MAX_VISITS}
    ), due as materialized (
      select deployment_id from visited where run_at <= now() order by deployment_id limit ${request.count}
    ), chosen as materialized (
      select share.deployment_id, share.id
      from due cross join lateral (
        select job.deployment_id, job.id from job
        where queue = ${request.queue} and state = 'ready' and deployment_id = due.deployment_id and run_at <= now()
          and kind = any(${request.kinds})
        order by run_at, id
        limit ${request.count}::bigint / nullif((select count(*) from due), 0)
        for update skip locked) share
    ), picked as (
      update job set state = 'running', attempt = attempt + 1, lease_version = lease_version + 1,
        lease_until = now() + ${request.leaseMs} * interval '1 millisecond', worker = ${request.worker}
      from chosen where job.deployment_id = chosen.deployment_id and job.id = chosen.id
      returning job.deployment_id, job.id, kind, payload, attempt, max_attempts, lease_version
    ), round as (
      select case when (select count(*) from due) = ${request.count} then (select max(deployment_id) from due)
                  when (select count(*) from visited) = ${MAX_VISITS} then (select max(deployment_id) from visited)
                  else ${ROUND_START} end as next
    )
    select round.next, picked.deployment_id as deployment, picked.id, picked.kind, picked.payload, picked.attempt,
           picked.max_attempts as "maxAttempts", picked.lease_version as "leaseVersion"
    from round left join picked on true`;
  return { picked: rows.flatMap((row) => ('id' in row ? [row] : [])), next: rows[0]?.next ?? ROUND_START };
}
