import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { RowId, returnedId } from '#kernel/db/query/row-schemas.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { cancelDeliveriesOf, type TicketRef } from './ticket-store.ts';
import type { RemoteTicket } from './trackers/tracker.ts';

export interface LinkOrder {
  deployment: string;
  instance: string;
  trackerProject: string;
  remote: RemoteTicket;
  findings: readonly string[];
  by: string;
  at: Date;
}

const Moved = z.object({ finding_id: z.string(), before: z.string().optional() });

/** Links findings with a ticket that exists at the tracker. A finding that has another ticket leaves it. */
export async function linkFindings(
  tx: Tx,
  { deployment, instance, trackerProject, remote, findings, by, at }: LinkOrder,
): Promise<{ ticket: string; linked: string[]; replaced: string[] }> {
  const row = await tx.one(RowId)`
    insert into ticket (deployment_id, destination_id, intent, tracker_project, state, external_id, slug, url,
      created_by, created_at, synced_at)
    values (${deployment}, ${instance}, ${randomUUID()}, ${trackerProject}, ${remote.state}, ${remote.externalId},
      ${remote.slug}, ${remote.url}, ${by}, ${at}, ${at})
    on conflict (deployment_id, destination_id, external_id) where external_id is not null
      do update set slug = excluded.slug, url = excluded.url
    returning id`;
  const ticket = returnedId(row);
  const rows = await tx.all(Moved)`
    with earlier as (
      select finding_id, ticket_id from ticket_finding
      where deployment_id = ${deployment} and finding_id = any(${findings}::bigint[])
      order by finding_id for update)
    insert into ticket_finding (deployment_id, finding_id, ticket_id, linked_at)
    select ${deployment}, id, ${ticket}, ${at} from finding
    where deployment_id = ${deployment} and id = any(${findings}::bigint[])
    order by id
    on conflict (deployment_id, finding_id) do update set ticket_id = excluded.ticket_id,
      linked_at = excluded.linked_at
    returning finding_id, (
      select ticket_id from earlier where earlier.finding_id = ticket_finding.finding_id) as before`;
  const replaced = rows.filter(({ before }) => before !== undefined && before !== ticket);
  await dropEmpty(tx, { deployment, tickets: [...new Set(replaced.flatMap(({ before }) => before ?? []))], by, at });
  return {
    ticket,
    linked: rows.map(({ finding_id: id }) => id),
    replaced: replaced.map(({ finding_id: id }) => id),
  };
}

/** Deletes our records of tickets without findings. The tickets themselves stay where they are. */
async function dropEmpty(
  tx: Tx,
  { deployment, tickets, by, at }: { deployment: string; tickets: readonly string[]; by: string; at: Date },
): Promise<void> {
  if (tickets.length === 0) return;
  const rows = await tx.all(RowId)`
    delete from ticket where deployment_id = ${deployment} and id = any(${tickets}::bigint[]) and not exists (
      select from ticket_finding as linked
      where linked.deployment_id = ticket.deployment_id and linked.ticket_id = ticket.id)
    returning id`;
  await cancelDeliveriesOf(tx, { deployment, tickets: rows.map(({ id }) => id), by, at });
}

const Unlinked = z.object({ finding_id: z.string(), ticket_id: z.string() });

/** Unlinks findings from their tickets, of one instance or of all; returns those that had one. */
export async function unlinkFindings(
  tx: Tx,
  deployment: string,
  { findings, instance, by, at }: { findings: readonly string[]; instance?: string; by: string; at: Date },
): Promise<string[]> {
  const rows = await tx.all(Unlinked)`
    delete from ticket_finding using ticket
    where ticket_finding.deployment_id = ${deployment} and ticket_finding.finding_id = any(${findings}::bigint[])
      and ticket.deployment_id = ${deployment} and ticket.id = ticket_finding.ticket_id
      and (${instance ?? null}::bigint is null or ticket.destination_id = ${instance ?? null})
    returning ticket_finding.finding_id, ticket_finding.ticket_id`;
  await dropEmpty(tx, { deployment, tickets: [...new Set(rows.map((row) => row.ticket_id))], by, at });
  return rows.map((row) => row.finding_id).sort((left, right) => Number(left) - Number(right));
}

/** Deletes our record of a ticket, never the ticket. */
export async function forgetTicket(
  tx: Tx,
  { deployment, ticket }: TicketRef,
  { by, at }: { by: string; at: Date },
): Promise<void> {
  await tx.run`delete from ticket where deployment_id = ${deployment} and id = ${ticket}`;
  await cancelDeliveriesOf(tx, { deployment, tickets: [ticket], by, at });
}
