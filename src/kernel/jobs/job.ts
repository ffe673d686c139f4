import { z } from 'zod';
import type { Tx } from '#kernel/db/tx.ts';

/** A kind of job, with the schema of its payload. */
export interface JobKind<Payload extends z.ZodObject = z.ZodObject> {
  readonly kind: string;
  readonly queue: string;
  readonly payload: Payload;
  readonly maxAttempts: number;
  readonly isUrgent: boolean;
}

export interface JobKindOptions<Shape extends z.ZodRawShape> {
  kind: string;
  payload: Shape;
  queue?: string;
  maxAttempts?: number;
  /**
   * Urgent jobs notify the workers; PostgreSQL serializes the commits of such transactions, so bulk jobs should not.
   */
  isUrgent?: boolean;
}

export const MAIN_QUEUE = 'main';
const MAX_ATTEMPTS = 25;
const KIND_PATTERN = /^[a-z][a-z0-9-]*(\.[a-z][a-z0-9-]*)+$/;

/** Declares a kind of job: `job({ kind: 'audit.seal', payload: {} })`. */
export function job<Shape extends z.ZodRawShape>(facts: JobKindOptions<Shape>): JobKind<z.ZodObject<Shape>> {
  const { kind, payload, queue = MAIN_QUEUE, maxAttempts = MAX_ATTEMPTS, isUrgent = true } = facts;
  if (!KIND_PATTERN.test(kind)) throw new TypeError(`"${kind}" is not a valid kind of job: write it as noun.verb.`);
  return { kind, queue, payload: z.object(payload), maxAttempts, isUrgent };
}

export interface NewJob<Payload> {
  /** The deployment of the job; 0 is the server itself. */
  deployment: string;
  payload: Payload;
  runAt?: Date;
  /** While a job of this kind and key is queued, another one is not added. */
  uniqueKey?: string;
}

const Count = z.object({ count: z.number() });

/** Enqueues a job in the caller's transaction; false when one with its key is already queued. */
export async function enqueue<Payload extends z.ZodObject>(
  tx: Tx,
  kind: JobKind<Payload>,
  job: NewJob<z.output<Payload>>,
): Promise<boolean> {
  return (await enqueueAll(tx, kind, [job])) === 1;
}

/** Enqueues many jobs of one kind in one statement; returns how many were added. */
export async function enqueueAll<Payload extends z.ZodObject>(
  tx: Tx,
  kind: JobKind<Payload>,
  jobs: readonly NewJob<z.output<Payload>>[],
): Promise<number> {
  if (jobs.length === 0) return 0;
  const payloads = jobs.map(({ payload }) => JSON.stringify(z.encode(kind.payload, payload)));
  const added = await tx.one(Count)`
    with added as (
      insert into job (deployment_id, queue, kind, payload, unique_key, run_at, max_attempts)
      select deployment_id, ${kind.queue}, ${kind.kind}, payload, unique_key,
             coalesce(run_at, date_trunc('milliseconds', now())), ${kind.maxAttempts}
      from unnest(${jobs.map(({ deployment }) => deployment)}::bigint[], ${payloads}::jsonb[],
                  ${jobs.map(({ uniqueKey }) => uniqueKey ?? null)}::text[],
                  ${jobs.map(({ runAt }) => runAt?.toISOString() ?? null)}::timestamptz[])
        as new_job (deployment_id, payload, unique_key, run_at)
      on conflict do nothing
      returning 1
    )
    select count(*)::integer as count,
           case when ${kind.isUrgent}::boolean and count(*) > 0 then pg_notify(${CHANNEL}, '') end
    from added`;
  return added?.count ?? 0;
}

/** The channel on which workers listen for new jobs. */
export const CHANNEL = 'parapet_job';
