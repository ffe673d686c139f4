import { z } from 'zod';
import type { Tx } from '#kernel/db/tx.ts';

/** The kind of a job, with the contract of its payload. */
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
  /** Urgent jobs wake the workers; PostgreSQL commits such transactions one by one, so bulk work better waits. */
  isUrgent?: boolean;
}

export const MAIN_QUEUE = 'main';
const MAX_ATTEMPTS = 25;
const KIND_PATTERN = /^[a-z][a-z0-9-]*(\.[a-z][a-z0-9-]*)+$/;

/** Declares a kind of job: `job({ kind: 'audit.seal', payload: {} })`. */
export function job<Shape extends z.ZodRawShape>(facts: JobKindOptions<Shape>): JobKind<z.ZodObject<Shape>> {
  const { kind, payload, queue = MAIN_QUEUE, maxAttempts = MAX_ATTEMPTS, isUrgent = true } = facts;
  if (!KIND_PATTERN.test(kind)) throw new TypeError(`"${kind}" is no kind of job: write it as noun.verb.`);
  return { kind, queue, payload: z.object(payload), maxAttempts, isUrgent };
}

export interface NewJob<Payload> {
  /** Which deployment it is for; 0 is the server itself. */
  deployment: string;
  payload: Payload;
  runAt?: Date;
  /** While a job of this kind and key waits, another is not added. */
  uniqueKey?: string;
}

/** Puts a job into the queue with the caller's transaction; false when one with its key already waits. */
export async function enqueue<Payload extends z.ZodObject>(
  tx: Tx,
  kind: JobKind<Payload>,
  order: NewJob<z.output<Payload>>,
): Promise<boolean> {
  return (await enqueueAll(tx, kind, [order])) === 1;
}

/** Puts many jobs of one kind into the queue in one statement, and says how many were added. */
export async function enqueueAll<Payload extends z.ZodObject>(
  tx: Tx,
  kind: JobKind<Payload>,
  orders: readonly NewJob<z.output<Payload>>[],
): Promise<number> {
  if (orders.length === 0) return 0;
  const payloads = orders.map((order) => JSON.stringify(z.encode(kind.payload, order.payload)));
  const [counted] = await tx.rows`
    with added as (
      insert into job (deployment_id, queue, kind, payload, unique_key, run_at, max_attempts)
      select deployment_id, ${kind.queue}, ${kind.kind}, payload, unique_key,
             coalesce(run_at, date_trunc('milliseconds', now())), ${kind.maxAttempts}
      from unnest(${orders.map((order) => order.deployment)}::bigint[], ${payloads}::jsonb[],
                  ${orders.map((order) => order.uniqueKey ?? null)}::text[],
                  ${orders.map((order) => order.runAt?.toISOString() ?? null)}::timestamptz[])
        as given (deployment_id, payload, unique_key, run_at)
      on conflict do nothing
      returning 1
    )
    select count(*)::integer as count,
           case when ${kind.isUrgent}::boolean and count(*) > 0 then pg_notify(${CHANNEL}, '') end
    from added`;
  return Number(counted?.['count']);
}

/** Where workers listen for new jobs. */
export const CHANNEL = 'parapet_job';
