import { z } from 'zod';
import { RowId, returnedId } from '#kernel/db/query/row-schemas.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { wakeDestination } from './delivery-store.ts';

export interface DestinationRef {
  deployment: string;
  id: string;
}

export async function insertDestination(
  tx: Tx,
  { deployment, kind, key, name }: { deployment: string; kind: string; key: string; name: string },
): Promise<string> {
  const row = await tx.one(RowId)`
    insert into destination (deployment_id, kind, key, name) values (${deployment}, ${kind}, ${key}, ${name})
    returning id`;
  return returnedId(row);
}

export const renameDestination = (tx: Tx, { deployment, id }: DestinationRef, name: string): Promise<number> =>
  tx.run`update destination set name = ${name} where deployment_id = ${deployment} and id = ${id}`;

/** Activates a destination after somebody changed it, and sends what waits for it. */
export async function activateDestination(tx: Tx, { deployment, id }: DestinationRef): Promise<void> {
  await tx.run`
    update destination set state = 'active', state_reason = null, failures = 0, failing_since = null,
      paused_until = null
    where deployment_id = ${deployment} and id = ${id}`;
  await wakeDestination(tx, { deployment, destination: id });
}

/** Deletes a destination with its deliveries. */
export const deleteDestination = (tx: Tx, { deployment, id }: DestinationRef): Promise<number> =>
  tx.run`delete from destination where deployment_id = ${deployment} and id = ${id}`;

/** How a destination is, for the people who depend on it. */
export const DestinationStatus = z.object({
  id: z.string(),
  kind: z.string(),
  name: z.string(),
  state: z.enum(['active', 'disabled']),
  state_reason: z.string().optional(),
  failures: z.number(),
  failing_since: z.string().optional(),
  paused_until: z.string().optional(),
  last_success_at: z.string().optional(),
  last_failure_at: z.string().optional(),
  last_failure: z.string().optional(),
  waiting: z.coerce.number(),
  held: z.coerce.number(),
  failed: z.coerce.number(),
});
export type DestinationStatus = z.output<typeof DestinationStatus>;

export const listDestinations = (tx: Tx, deployment: string): Promise<DestinationStatus[]> =>
  tx.all(DestinationStatus)`
    select destination.id, kind, name, destination.state, state_reason, failures, failing_since, paused_until,
      last_success_at, last_failure_at, last_failure, coalesce(counts.waiting, 0) as waiting,
      coalesce(counts.held, 0) as held, coalesce(counts.failed, 0) as failed
    from destination left join (
      select destination_id, count(*) filter (where state = 'waiting') as waiting,
        count(*) filter (where state = 'held') as held, count(*) filter (where state = 'failed') as failed
      from delivery where deployment_id = ${deployment} and state in ('waiting', 'held', 'failed')
      group by destination_id) as counts on counts.destination_id = destination.id
    where destination.deployment_id = ${deployment} order by destination.id`;
