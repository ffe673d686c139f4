import { z } from 'zod';
import type { Tx } from '#kernel/db/tx.ts';
import { wakeDestination, wakeDestinationAt } from './delivery-store.ts';
import type { DestinationRef } from './destination-store.ts';

/** Longer than any call takes; it is renewed before and after each one. */
const LEASE_SECONDS = 45;

const LeasedDestination = z.object({ kind: z.string(), name: z.string(), leaseVersion: z.number() });

/** A destination that only this worker delivers to. */
export type LeasedDestination = z.output<typeof LeasedDestination> & DestinationRef;

/** Thrown when another worker has the destination; the transaction is rolled back. */
export class DestinationLeaseLost extends Error {
  override readonly name = 'DestinationLeaseLost';
}

/** Leases a destination; undefined if another worker has it, or if it is paused, disabled or gone. */
export async function leaseDestination(tx: Tx, ref: DestinationRef, now: Date): Promise<LeasedDestination | undefined> {
  const row = await tx.one(LeasedDestination)`
    update destination set lease_version = lease_version + 1,
      lease_until = now() + ${LEASE_SECONDS} * interval '1 second'
    where deployment_id = ${ref.deployment} and id = ${ref.id} and state = 'active'
      and (lease_until is null or lease_until < now()) and (paused_until is null or paused_until <= ${now})
    returning kind, name, lease_version as "leaseVersion"`;
  if (!row) {
    await lookAgainAfterLease(tx, ref);
    await failAtDisabled(tx, ref, now);
  }
  return row && { ...ref, ...row };
}

/** How long deliveries wait for somebody to mend a disabled destination, such as one with a revoked token. */
const MAX_WAIT_MS = 72 * 3_600_000;

/** Deliveries to a disabled destination fail after 72 hours; they stay listed and can be replayed. */
const failAtDisabled = (tx: Tx, { deployment, id }: DestinationRef, now: Date): Promise<number> =>
  tx.run`
    update delivery set state = 'failed', ended_at = ${now},
      reason = 'The destination was disabled for 72 hours: ' || coalesce(destination.state_reason, '')
    from destination
    where destination.deployment_id = ${deployment} and destination.id = ${id} and destination.state = 'disabled'
      and delivery.deployment_id = ${deployment} and delivery.destination_id = ${id} and delivery.state = 'waiting'
      and delivery.next_at <= ${new Date(now.getTime() - MAX_WAIT_MS)}`;

const HeldLease = z.object({ until: z.string() });

/** A worker that was killed cannot return its lease: somebody has to look again when it has expired. */
async function lookAgainAfterLease(tx: Tx, { deployment, id }: DestinationRef): Promise<void> {
  const held = await tx.one(HeldLease)`
    select date_bin('10 seconds', lease_until, timestamptz 'epoch') + interval '10 seconds' as until from destination
    where deployment_id = ${deployment} and id = ${id} and state = 'active' and lease_until > now()`;
  if (held) await wakeDestinationAt(tx, { deployment, destination: id }, new Date(held.until));
}

/** Renews the lease, and binds the transaction to it. */
export async function renewLease(tx: Tx, { deployment, id, leaseVersion }: LeasedDestination): Promise<void> {
  const count = await tx.run`
    update destination set lease_until = now() + ${LEASE_SECONDS} * interval '1 second'
    where deployment_id = ${deployment} and id = ${id} and lease_version = ${leaseVersion}`;
  if (count !== 1) throw new DestinationLeaseLost('Another worker delivers to this destination.');
}

const NextDue = z.object({ paused_until: z.string().optional(), is_due: z.boolean() });

/**
 * Returns the lease. What became due in the meantime is delivered by a further job: its own job may have found the
 * destination leased.
 */
export async function releaseDestination(tx: Tx, leased: LeasedDestination, now: Date): Promise<void> {
  const { deployment, id, leaseVersion } = leased;
  const row = await tx.one(NextDue)`
    update destination set lease_until = null
    where deployment_id = ${deployment} and id = ${id} and lease_version = ${leaseVersion}
    returning paused_until, state = 'active' and exists (
      select from delivery where delivery.deployment_id = ${deployment} and delivery.destination_id = destination.id
        and delivery.state = 'waiting' and delivery.next_at <= ${now}) as is_due`;
  if (!row?.is_due) return;
  const pausedUntil = row.paused_until === undefined ? undefined : new Date(row.paused_until);
  const ref = { deployment, destination: id };
  if (pausedUntil && pausedUntil > now) await wakeDestinationAt(tx, ref, pausedUntil);
  else await wakeDestination(tx, ref);
}
