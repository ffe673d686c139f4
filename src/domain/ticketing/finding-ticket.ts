import type { Tx } from '#kernel/db/tx.ts';
import { FindingTicket } from './ticketing-shape.ts';

/** The ticket of a finding, also while it is being opened. */
export const findFindingTicket = (
  tx: Tx,
  { deployment, finding }: { deployment: string; finding: string },
): Promise<FindingTicket | undefined> =>
  tx.one(FindingTicket)`
    select ticket.state, coalesce(ticket.slug, '') as slug, coalesce(ticket.url, '') as url,
      destination.name as "trackerName", ticket.created_at as "createdAt", ticket.synced_at as "syncedAt"
    from ticket_finding as linked
    join ticket on ticket.deployment_id = linked.deployment_id and ticket.id = linked.ticket_id
    join destination on destination.deployment_id = ticket.deployment_id and destination.id = ticket.destination_id
    where linked.deployment_id = ${deployment} and linked.finding_id = ${finding}`;
