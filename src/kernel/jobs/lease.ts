import { z } from 'zod';
import { type Sql, sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { LeasedJob } from './pick-jobs.ts';

const JobId = z.object({ id: z.string() });

const keysOf = (jobs: readonly LeasedJob[]) => sql`
  unnest(${jobs.map((job) => job.deployment)}::bigint[], ${jobs.map((job) => job.id)}::bigint[],
         ${jobs.map((job) => job.leaseVersion)}::integer[]) as mine (deployment_id, id, lease_version)`;

const isHeld = sql`job.deployment_id = mine.deployment_id and job.id = mine.id
  and job.lease_version = mine.lease_version and job.state = 'running'`;

/** Renews leases; returns the ids of the jobs that are still held. */
export async function renewLeases(tx: Tx, jobs: readonly LeasedJob[], leaseMs: number): Promise<Set<string>> {
  const rows = await tx.all(JobId)`
    update job set lease_until = now() + ${leaseMs} * interval '1 millisecond'
    from ${keysOf(jobs)} where ${isHeld} returning job.id`;
  return new Set(rows.map(({ id }) => id));
}

/** Marks the jobs as done whose lease is still held; returns their ids. */
export async function finishJobs(tx: Tx, jobs: readonly LeasedJob[]): Promise<Set<string>> {
  const rows = await tx.all(JobId)`
    update job set state = 'done', finished_at = now(), lease_until = null, worker = null
    from ${keysOf(jobs)} where ${isHeld} returning job.id`;
  return new Set(rows.map(({ id }) => id));
}

/**
 * Marks a job as done if its lease is still held; false means that another worker has it, and nothing may be committed.
 */
export async function finishJob(tx: Tx, job: LeasedJob): Promise<boolean> {
  const count = await tx.run`
    update job set state = 'done', finished_at = now(), lease_until = null, worker = null
    where deployment_id = ${job.deployment} and id = ${job.id} and lease_version = ${job.leaseVersion}
      and state = 'running'`;
  return count === 1;
}

const ReturnedJob = z.object({ deployment: z.string(), id: z.string(), kind: z.string(), state: z.string() });

/** A job that is no longer leased, with its new state. */
export type ReturnedJob = z.output<typeof ReturnedJob>;

/** Returns running jobs to the queue; of several with one key, including one that is already queued, only one stays. */
async function requeue(tx: Tx, selection: Sql, change: { isDead: Sql; set: Sql }): Promise<ReturnedJob[]> {
  const isReplaced = sql`(job.unique_key is not null and (held.rank > 1 or exists (
    select from job other where other.deployment_id = job.deployment_id and other.kind = job.kind
      and other.unique_key = job.unique_key and other.state = 'ready')))`;
  return tx.all(ReturnedJob)`
    with chosen as materialized (${selection}), held as (
      select *, row_number() over (partition by deployment_id, kind, unique_key order by id desc) as rank from chosen
    )
    update job set ${change.set}, lease_until = null, worker = null,
      state = case when ${change.isDead} then 'dead' when ${isReplaced} then 'done' else 'ready' end,
      finished_at = case when ${change.isDead} or ${isReplaced} then now() end
    from held where job.deployment_id = held.deployment_id and job.id = held.id
    returning job.deployment_id as deployment, job.id, job.kind, job.state`;
}

const mine = (jobs: readonly LeasedJob[]) => sql`
  select job.deployment_id, job.id, job.kind, job.unique_key from job, ${keysOf(jobs)} where ${isHeld}
  for update of job`;

const isLastAttempt = sql`attempt >= max_attempts`;

/** Requeues a failed job, or marks it as dead after its last attempt; undefined when the lease was lost. */
export async function failJob(
  tx: Tx,
  job: LeasedJob,
  failure: { text: string; delayMs: number },
): Promise<ReturnedJob | undefined> {
  const set = sql`run_at = now() + ${failure.delayMs} * interval '1 millisecond', last_error = ${failure.text}`;
  const [returned] = await requeue(tx, mine([job]), { isDead: isLastAttempt, set });
  return returned;
}

/** Requeues unfinished jobs without counting the attempt. */
export async function returnJobs(tx: Tx, jobs: readonly LeasedJob[]): Promise<ReturnedJob[]> {
  const set = sql`attempt = attempt - 1, run_at = date_trunc('milliseconds', now())`;
  return requeue(tx, mine(jobs), { isDead: sql`false`, set });
}

/**
 * Requeues jobs whose lease has expired.
 * They are spread over a few seconds, so that a job that kills its process does not take the same others down again.
 */
export async function reclaimLapsedJobs(tx: Tx): Promise<ReturnedJob[]> {
  const lapsed = sql`
    select deployment_id, id, kind, unique_key from job where state = 'running' and lease_until < now()
    order by lease_until limit 1000 for update skip locked`;
  const set = sql`run_at = now() + random() * least(attempt, 5) * interval '1 second',
    last_error = 'The worker stopped or hung.'`;
  return requeue(tx, lapsed, { isDead: isLastAttempt, set });
}
