import { z } from 'zod';
import type { Database } from '#kernel/db/database.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { failureText } from '#kernel/jobs/failure-text.ts';
import { type JobHandler, jobHandler } from '#kernel/jobs/handler.ts';
import { enqueueAll, job } from '#kernel/jobs/job.ts';
import { every } from '#kernel/jobs/schedule.ts';
import { pumpDestination } from './delivery-store.ts';
import type {
  DeliveryOutcome,
  DestinationAdapter,
  DestinationAdapters,
  SendMessage,
  WriteDuringSend,
} from './destination-adapter.ts';
import {
  DestinationLeaseLost,
  type LeasedDestination,
  leaseDestination,
  releaseDestination,
  renewLease,
} from './destination-lease.ts';
import type { DestinationRef } from './destination-store.ts';
import { recordAttempt } from './record-attempt.ts';

/** After so many calls the next job continues, so that other destinations get their turn. */
const MAX_CALLS = 100;

export interface PumpParts {
  db: Database;
  adapters: DestinationAdapters;
  clock?: () => Date;
  random?: () => number;
}

const DueDelivery = z.object({
  id: z.string(),
  kind: z.string(),
  subject: z.record(z.string(), z.unknown()),
  config: z.record(z.string(), z.string()),
  findings: z.array(z.string()),
  attempts: z.number(),
  parts: z.number().optional(),
  sent_parts: z.number(),
});

/** A delivery that is ready to be sent, with the body of its next part. */
interface ReadyDelivery {
  delivery: { id: string; attempts: number; parts: number; sentParts: number };
  body: string;
  send: SendMessage;
}

const findDue = (tx: Tx, { deployment, id }: DestinationRef, now: Date) =>
  tx.one(DueDelivery)`
    select id, kind, subject, config, case when parts is null then findings else '{}' end as findings, attempts, parts,
      sent_parts
    from delivery
    where deployment_id = ${deployment} and destination_id = ${id} and state = 'waiting' and next_at <= ${now}
    order by next_at, id limit 1 for update`;

/** The name of a part, the same in every attempt and every replay. */
export const messageId = (deployment: string, delivery: string, part: number): string =>
  `msg_${deployment}_${delivery}_${part}`;

/** Ends a delivery that cannot be sent. */
const end = (
  tx: Tx,
  deployment: string,
  id: string,
  { state, reason, at }: { state: string; reason: string; at: Date },
) =>
  tx.run`
    update delivery set state = ${state}, reason = ${reason}, ended_at = ${at}
    where deployment_id = ${deployment} and id = ${id}`;

const BodyRow = z.object({ body: z.string() });

/** Writes the bodies before the first attempt: from then on they do not change. Returns their number, or why none. */
async function freeze(
  tx: Tx,
  adapter: DestinationAdapter,
  { deployment, due, at }: { deployment: string; due: z.output<typeof DueDelivery>; at: Date },
): Promise<number | { skip: string }> {
  if (due.parts !== undefined) return due.parts;
  const bodies = await adapter.compose(tx, { deployment, ...due });
  if ('skip' in bodies) return bodies;
  if (bodies.length === 0) return 0;
  await tx.run`
    insert into delivery_body (deployment_id, delivery_id, part, body, created_at)
    select ${deployment}, ${due.id}, position - 1, body, ${at}
    from unnest(${bodies}::text[]) with ordinality as part (body, position)`;
  await tx.run`
    update delivery set parts = ${bodies.length} where deployment_id = ${deployment} and id = ${due.id}`;
  return bodies.length;
}

/** Prepares the next due delivery; undefined if none is due, 'ended' if it turned out that there is nothing to send. */
async function prepareNext(
  tx: Tx,
  adapter: DestinationAdapter,
  { leased, now, write }: { leased: LeasedDestination; now: Date; write: WriteDuringSend },
): Promise<ReadyDelivery | 'ended' | undefined> {
  await renewLease(tx, leased);
  const { deployment } = leased;
  const due = await findDue(tx, leased, now);
  if (!due) return undefined;
  const parts = await freeze(tx, adapter, { deployment, due, at: now });
  if (typeof parts === 'object') {
    await end(tx, deployment, due.id, { state: 'skipped', reason: parts.skip, at: now });
    return 'ended';
  }
  if (parts === 0) {
    const reason = 'Its findings do not exist any more.';
    await end(tx, deployment, due.id, { state: 'cancelled', reason, at: now });
    return 'ended';
  }
  const row = await tx.one(BodyRow)`
    select body from delivery_body
    where deployment_id = ${deployment} and delivery_id = ${due.id} and part = ${due.sent_parts}`;
  if (!row) {
    await end(tx, deployment, due.id, { state: 'failed', reason: 'Its content was deleted after 30 days.', at: now });
    return 'ended';
  }
  const delivery = { id: due.id, attempts: due.attempts, parts, sentParts: due.sent_parts };
  return { delivery, body: row.body, send: await adapter.connect(tx, leased, write) };
}

/** A defect of an adapter is a failed attempt: it must not stop the other deliveries. */
async function trySend(send: SendMessage, message: Parameters<SendMessage>[0]): Promise<DeliveryOutcome> {
  try {
    return await send(message);
  } catch (error) {
    return { kind: 'failed', detail: failureText(error) };
  }
}

/**
 * Delivers what is due to a destination, one call after the other and oldest first. Only one worker at a time does, so
 * order, pace and pauses are decided in one place. The call is made outside of transactions: when a worker is killed
 * between the call and its record, the next one repeats that call, with the same id.
 */
export async function drainDestination(
  { db, adapters, clock = () => new Date(), random }: PumpParts,
  ref: DestinationRef,
  signal?: AbortSignal,
): Promise<number> {
  const write = <Result>(work: (tx: Tx) => Promise<Result>) =>
    db.transaction({ role: 'app', deployment: ref.deployment, isRead: false }, work);
  const leased = await write((tx) => leaseDestination(tx, ref, clock()));
  const adapter = leased && adapters.ofKind(leased.kind);
  if (!leased || !adapter) return 0;
  let calls = 0;
  try {
    let canContinue = true;
    while (canContinue && calls < MAX_CALLS && !signal?.aborted) {
      const ready = await write((tx) => prepareNext(tx, adapter, { leased, now: clock(), write }));
      if (!ready) break;
      if (ready === 'ended') continue;
      const { delivery, body, send } = ready;
      const at = clock();
      const start = performance.now();
      const id = messageId(ref.deployment, delivery.id, delivery.sentParts);
      const outcome = await trySend(send, { id, body, part: delivery.sentParts, attempt: delivery.attempts + 1, at });
      const durationMs = performance.now() - start;
      calls += 1;
      const { minIntervalMs } = adapter;
      const record = { delivery, outcome, at, durationMs, random, minIntervalMs };
      canContinue = await write((tx) => recordAttempt(tx, leased, record));
    }
    await write((tx) => releaseDestination(tx, leased, clock()));
  } catch (error) {
    if (!(error instanceof DestinationLeaseLost)) throw error;
  }
  return calls;
}

export const pumpHandler = (parts: PumpParts): JobHandler =>
  jobHandler(pumpDestination, async ({ deployment, payload, signal }) => {
    await drainDestination(parts, { deployment, id: payload.destination }, signal);
  });

const WAKE_PERIOD_MS = 5 * 60_000;

const wakeDue = job({ kind: 'delivery.wake', payload: {}, isUrgent: false });

export const wakeSchedule = every(WAKE_PERIOD_MS, wakeDue, {});

const DueDestination = z.object({ deployment_id: z.string(), destination_id: z.string() });

/** Enqueues the destinations of which the job was given up, or that a killed worker had leased. */
export const wakeHandler = (db: Database): JobHandler =>
  jobHandler(wakeDue, async () => {
    await db.transaction({ role: 'background', isRead: false }, async (tx) => {
      const due = await tx.all(DueDestination)`
        select distinct deployment_id, destination_id from delivery
        where state = 'waiting' and next_at < now() - interval '1 minute' and destination_id is not null limit 10000`;
      await enqueueAll(
        tx,
        pumpDestination,
        due.map(({ deployment_id: deployment, destination_id: destination }) => ({
          deployment,
          payload: { destination },
          uniqueKey: destination,
        })),
      );
    });
  });
