import { RowId, returnedId } from '#kernel/db/query/row-schemas.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { Destination } from './delivery-shape.ts';
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

/** Activates a destination after somebody changed it, and sends what waits for it. */
export async function activateDestination(tx: Tx, { deployment, id }: DestinationRef): Promise<void> {
  await tx.run`
    update destination set state = 'active', state_reason = null, failures = 0, failing_since = null,
      paused_until = null
    where deployment_id = ${deployment} and id = ${id}`;
  await wakeDestination(tx, { deployment, destination: id });
}

/** Deletes a destination. What waits for it is cancelled; its log stays. */
export async function deleteDestination(
  tx: Tx,
  { deployment, id }: DestinationRef,
  { by, at }: { by: string; at: Date },
): Promise<void> {
  await tx.run`
    update delivery set state = 'cancelled', reason = 'The destination was deleted.', changed_by = ${by},
      ended_at = ${at}
    where deployment_id = ${deployment} and destination_id = ${id} and state in ('waiting', 'held')`;
  await tx.run`delete from destination where deployment_id = ${deployment} and id = ${id}`;
}

/** Deletes the destinations of a kind whose keys begin with a text; the same as for one. */
export async function deleteDestinationsByKey(
  tx: Tx,
  { deployment, kind, keyPrefix }: { deployment: string; kind: string; keyPrefix: string },
  { by, at }: { by: string; at: Date },
): Promise<void> {
  const rows = await tx.all(RowId)`
    select id from destination
    where deployment_id = ${deployment} and kind = ${kind} and starts_with(key, ${keyPrefix}) order by id`;
  for (const { id } of rows) await deleteDestination(tx, { deployment, id }, { by, at });
}

/** The destinations with how they are, for the people who depend on them. */
export const listDestinations = (tx: Tx, deployment: string): Promise<Destination[]> =>
  tx.all(Destination)`
    select destination.id, kind, name, destination.state, coalesce(state_reason, '') as "stateReason", failures,
      paused_until as "pausedUntil", last_success_at as "lastSuccessAt", last_failure_at as "lastFailureAt",
      coalesce(last_failure, '') as "lastFailure", coalesce(counts.waiting, 0)::integer as waiting,
      coalesce(counts.held, 0)::integer as held, coalesce(counts.failed, 0)::integer as failed
    from destination left join (
      select destination_id, count(*) filter (where state = 'waiting') as waiting,
        count(*) filter (where state = 'held') as held, count(*) filter (where state = 'failed') as failed
      from delivery where deployment_id = ${deployment} and state in ('waiting', 'held', 'failed')
      group by destination_id) as counts on counts.destination_id = destination.id
    where destination.deployment_id = ${deployment} order by destination.id`;
