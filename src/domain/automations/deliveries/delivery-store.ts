import { z } from 'zod';
import { RowId, returnedId } from '#kernel/db/query/row-schemas.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { enqueue, job } from '#kernel/jobs/job.ts';
import type { AutomationAction } from '../shape.ts';
import type { DeliverySubject } from './destination-adapter.ts';

export const DELIVERY_QUEUE = 'deliveries';

/** Delivers what waits for a destination. */
export const pumpDestination = job({
  kind: 'delivery.pump',
  queue: DELIVERY_QUEUE,
  payload: { destination: z.string() },
});

export const DELIVERY_STATES = ['waiting', 'held', 'sent', 'failed', 'cancelled', 'skipped', 'would'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

export interface NewDelivery {
  deployment: string;
  destination?: string | undefined;
  automation?: { id: string; version: number } | undefined;
  action?: AutomationAction | undefined;
  run?: string | undefined;
  kind: string;
  subject: DeliverySubject;
  findings: readonly string[];
  state: DeliveryState;
  reason?: string | undefined;
  at: Date;
  /** When it is sent, if not at once. */
  nextAt?: Date | undefined;
}

/** Has a worker deliver what waits, after this transaction. */
export const wakeDestination = (tx: Tx, ref: { deployment: string; destination: string }): Promise<boolean> =>
  enqueue(tx, pumpDestination, {
    deployment: ref.deployment,
    payload: { destination: ref.destination },
    uniqueKey: ref.destination,
  });

/** The same later. The moment is in the key, so that it does not replace an earlier one. */
export const wakeDestinationAt = (
  tx: Tx,
  ref: { deployment: string; destination: string },
  runAt: Date,
): Promise<boolean> =>
  enqueue(tx, pumpDestination, {
    deployment: ref.deployment,
    payload: { destination: ref.destination },
    uniqueKey: `${ref.destination}@${runAt.getTime()}`,
    runAt,
  });

const isEnded = (state: DeliveryState) => state !== 'waiting' && state !== 'held';

/** Records a delivery; one that waits is sent after this transaction. */
export async function insertDelivery(tx: Tx, delivery: NewDelivery): Promise<string> {
  const { deployment, destination, automation, action, state, at, nextAt = at } = delivery;
  const row = await tx.one(RowId)`
    insert into delivery (deployment_id, destination_id, automation_id, automation_version, action_id, action_type,
      run_id, kind, subject, config, findings, state, reason, next_at, created_at, ended_at)
    values (${deployment}, ${destination ?? null}, ${automation?.id ?? null}, ${automation?.version ?? null},
      ${action?.id ?? null}, ${action?.type ?? null}, ${delivery.run ?? null}, ${delivery.kind},
      ${JSON.stringify(delivery.subject)}::jsonb, ${JSON.stringify(action?.config ?? {})}::jsonb,
      ${delivery.findings}::bigint[], ${state}, ${delivery.reason ?? null}, ${nextAt}, ${at},
      ${isEnded(state) ? at : null})
    returning id`;
  if (state === 'waiting' && destination !== undefined) {
    const ref = { deployment, destination };
    await (nextAt > at ? wakeDestinationAt(tx, ref, nextAt) : wakeDestination(tx, ref));
  }
  return returnedId(row);
}

/**
 * Cancels what an automation has not begun to send: all of it, or that of actions which it no longer has. What was
 * attempted once may have arrived, and is delivered as it was.
 */
export const cancelUnsent = (
  tx: Tx,
  automation: { deployment: string; id: string },
  { keptActions = [], reason, by, at }: { keptActions?: readonly string[]; reason: string; by: string; at: Date },
): Promise<number> =>
  tx.run`
    update delivery set state = 'cancelled', reason = ${reason}, changed_by = ${by}, ended_at = ${at}
    where deployment_id = ${automation.deployment} and automation_id = ${automation.id}
      and state in ('waiting', 'held') and parts is null and not (action_id = any(${keptActions}::text[]))`;

/** The same for many automations at once, each with the actions that it still has. */
export const cancelUnsentOf = (
  tx: Tx,
  { deployment, by, at, reason }: { deployment: string; by: string; at: Date; reason: string },
  automations: readonly { id: string; keptActions: readonly string[] }[],
): Promise<number> =>
  tx.run`
    update delivery set state = 'cancelled', reason = ${reason}, changed_by = ${by}, ended_at = ${at}
    from jsonb_to_recordset(${JSON.stringify(automations)}::jsonb) as given (id bigint, "keptActions" text[])
    where delivery.deployment_id = ${deployment} and delivery.automation_id = given.id
      and delivery.state in ('waiting', 'held') and delivery.parts is null
      and not (delivery.action_id = any(given."keptActions"))`;

const Woken = z.object({ id: z.string(), destination_id: z.string() });

/** Sends held deliveries after all; returns the ids of those that were held. */
export async function releaseHeld(
  tx: Tx,
  deployment: string,
  { ids, by, at }: { ids: readonly string[]; by: string; at: Date },
): Promise<string[]> {
  const rows = await tx.all(Woken)`
    update delivery set state = 'waiting', changed_by = ${by}, next_at = ${at}
    where deployment_id = ${deployment} and id = any(${ids}::bigint[]) and state = 'held'
      and destination_id is not null
    returning id, destination_id`;
  await wakeAll(tx, deployment, rows);
  return rows.map(({ id }) => id);
}

/** Drops held deliveries; returns the ids of those that were held. */
export async function dismissHeld(
  tx: Tx,
  deployment: string,
  { ids, by, at }: { ids: readonly string[]; by: string; at: Date },
): Promise<string[]> {
  const rows = await tx.all(RowId)`
    update delivery set state = 'cancelled', reason = 'dismissed', changed_by = ${by}, ended_at = ${at}
    where deployment_id = ${deployment} and id = any(${ids}::bigint[]) and state = 'held' returning id`;
  return rows.map(({ id }) => id);
}

/** Sends deliveries again with the same ids and bodies; returns the ids of those that can be sent. */
export async function replayDeliveries(
  tx: Tx,
  deployment: string,
  { ids, by, at }: { ids: readonly string[]; by: string; at: Date },
): Promise<string[]> {
  const rows = await tx.all(Woken)`
    update delivery set state = 'waiting', reason = null, changed_by = ${by}, attempts = 0, sent_parts = 0,
      replays = replays + 1, next_at = ${at}, ended_at = null
    where deployment_id = ${deployment} and id = any(${ids}::bigint[]) and state in ('sent', 'failed')
      and destination_id is not null and kind <> 'test' and exists (
        select from delivery_body as body
        where body.deployment_id = delivery.deployment_id and body.delivery_id = delivery.id)
    returning id, destination_id`;
  await wakeAll(tx, deployment, rows);
  return rows.map(({ id }) => id);
}

async function wakeAll(tx: Tx, deployment: string, rows: readonly z.output<typeof Woken>[]): Promise<void> {
  for (const destination of new Set(rows.map((row) => row.destination_id)))
    await wakeDestination(tx, { deployment, destination });
}

/** Runs and deliveries are kept for 90 days, bodies for 30. */
export const deleteOldRuns = (tx: Tx): Promise<number> =>
  tx.run`delete from automation_run where at < now() - interval '90 days'`;
export const deleteOldDeliveries = (tx: Tx): Promise<number> =>
  tx.run`delete from delivery where created_at < now() - interval '90 days' and state not in ('waiting', 'held')`;
export const deleteOldBodies = (tx: Tx): Promise<number> =>
  tx.run`delete from delivery_body where created_at < now() - interval '30 days'`;
