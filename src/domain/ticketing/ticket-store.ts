import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { RowId, returnedId } from '#kernel/db/query/row-schemas.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { TrackerTicket } from './trackers/tracker.ts';

/** A ticket has at most so many findings. */
export const MAX_FINDINGS_PER_TICKET = 75;

export interface TicketRef {
  deployment: string;
  ticket: string;
}

const Group = z.object({ project: z.string(), rule: z.string(), findings: z.array(z.string()) });
export type TicketGroup = z.output<typeof Group>;

/** Findings by project and rule, worst first; one by one if they are not to be grouped. */
export const groupFindings = (
  tx: Tx,
  deployment: string,
  {
    findings,
    isGrouped,
    most = MAX_FINDINGS_PER_TICKET,
  }: { findings: readonly string[]; isGrouped: boolean; most?: number },
): Promise<TicketGroup[]> =>
  tx.all(Group)`
    select project_id as project, rule, array_agg(id order by severity desc, id) as findings
    from (
      select project_id, rule, severity, id, (row_number() over (
        partition by project_id, rule order by severity desc, id) - 1) / ${isGrouped ? most : 1}::int as piece
      from finding where deployment_id = ${deployment} and id = any(${findings}::bigint[])) as numbered
    group by project_id, rule, piece
    order by max(severity) desc, min(id)`;

const Standing = z.object({
  id: z.string(),
  is_closed: z.boolean(),
  ticket: z.string().optional(),
  slug: z.string().optional(),
});

/** Which findings are fixed or removed, and which have a ticket or wait for one. */
export const standingOf = (tx: Tx, deployment: string, findings: readonly string[]) =>
  tx.all(Standing)`
    select finding.id, finding.status in ('fixed', 'removed') as is_closed, linked.ticket_id as ticket, ticket.slug
    from finding
    left join ticket_finding as linked
      on linked.deployment_id = finding.deployment_id and linked.finding_id = finding.id
    left join ticket on ticket.deployment_id = linked.deployment_id and ticket.id = linked.ticket_id
    where finding.deployment_id = ${deployment} and finding.id = any(${findings}::bigint[])
    order by finding.id`;

export interface NewTicket {
  deployment: string;
  instance: string;
  trackerProject: string;
  findings: readonly string[];
  by: string;
  at: Date;
  followsSlug?: string | undefined;
}

/**
 * Writes the intent to open a ticket, for those of the findings that have none and are not fixed. The key of
 * `ticket_finding` decides between requests at the same moment: a finding gets into one ticket only. Returns undefined
 * if no finding is left.
 */
export async function planTicket(
  tx: Tx,
  { deployment, instance, trackerProject, findings, by, at, followsSlug }: NewTicket,
): Promise<{ ticket: string; findings: string[] } | undefined> {
  const row = await tx.one(RowId)`
    insert into ticket (deployment_id, destination_id, intent, tracker_project, follows_slug, created_by, created_at)
    values (${deployment}, ${instance}, ${randomUUID()}, ${trackerProject}, ${followsSlug ?? null}, ${by}, ${at})
    returning id`;
  const ticket = returnedId(row);
  const claimed = await claimFindings(tx, { deployment, ticket }, findings, at);
  if (claimed.length > 0) return { ticket, findings: claimed };
  await deleteTicket(tx, { deployment, ticket });
  return undefined;
}

/** Links findings that have no ticket; returns them. They are locked in the order of their ids. */
export async function claimFindings(
  tx: Tx,
  { deployment, ticket }: TicketRef,
  findings: readonly string[],
  at: Date,
): Promise<string[]> {
  const rows = await tx.all(RowId)`
    insert into ticket_finding (deployment_id, finding_id, ticket_id, linked_at)
    select ${deployment}, finding.id, ${ticket}, ${at} from finding
    where finding.deployment_id = ${deployment} and finding.id = any(${findings}::bigint[])
      and finding.status not in ('fixed', 'removed')
    order by finding.id
    on conflict do nothing
    returning finding_id as id`;
  return rows.map(({ id }) => id);
}

export const deleteTicket = (tx: Tx, { deployment, ticket }: TicketRef): Promise<number> =>
  tx.run`delete from ticket where deployment_id = ${deployment} and id = ${ticket}`;

const StoredTicket = z.object({
  id: z.string(),
  destination_id: z.string(),
  intent: z.string(),
  tracker_project: z.string(),
  state: z.enum(['planned', 'open', 'closed']),
  external_id: z.string().optional(),
  slug: z.string().optional(),
  url: z.string().optional(),
  called_at: z.string().optional(),
  lookups: z.number(),
  follows_slug: z.string().optional(),
});
export type StoredTicket = z.output<typeof StoredTicket>;

export const lockTicket = (tx: Tx, { deployment, ticket }: TicketRef): Promise<StoredTicket | undefined> =>
  tx.one(StoredTicket)`
    select id, destination_id, intent, tracker_project, state, external_id, slug, url, called_at, lookups, follows_slug
    from ticket where deployment_id = ${deployment} and id = ${ticket} for update`;

const FindingRow = z.object({ id: z.string() });

export async function findingsOf(tx: Tx, { deployment, ticket }: TicketRef): Promise<string[]> {
  const rows = await tx.all(FindingRow)`
    select finding_id as id from ticket_finding
    where deployment_id = ${deployment} and ticket_id = ${ticket} order by finding_id`;
  return rows.map(({ id }) => id);
}

/** Remembers that the tracker is being called: until it is known what came of it, nothing is opened again. */
export const markCalled = (tx: Tx, { deployment, ticket }: TicketRef, at: Date): Promise<number> =>
  tx.run`
    update ticket set called_at = ${at}, lookups = 0 where deployment_id = ${deployment} and id = ${ticket}`;

export const clearCalled = (tx: Tx, { deployment, ticket }: TicketRef): Promise<number> =>
  tx.run`update ticket set called_at = null, lookups = 0 where deployment_id = ${deployment} and id = ${ticket}`;

export const countLookup = (tx: Tx, { deployment, ticket }: TicketRef): Promise<number> =>
  tx.run`update ticket set lookups = lookups + 1 where deployment_id = ${deployment} and id = ${ticket}`;

export const recordOpened = (tx: Tx, { deployment, ticket }: TicketRef, opened: TrackerTicket, at: Date) =>
  tx.run`
    update ticket set state = 'open', external_id = ${opened.externalId}, slug = ${opened.slug}, url = ${opened.url},
      called_at = null, synced_at = ${at}
    where deployment_id = ${deployment} and id = ${ticket}`;

/** Records why no ticket was opened, where people look for it: at the findings. */
export const recordFailedAttempts = (
  tx: Tx,
  deployment: string,
  { findings, message, at }: { findings: readonly string[]; message: string; at: Date },
): Promise<number> =>
  tx.run`
    insert into ticket_attempt (deployment_id, finding_id, at, message)
    select ${deployment}, id, ${at}, ${message.slice(0, 1000)} from finding
    where deployment_id = ${deployment} and id = any(${findings}::bigint[])`;

export const deleteOldAttempts = (tx: Tx): Promise<number> =>
  tx.run`delete from ticket_attempt where at < now() - interval '90 days'`;

/** Cancels the deliveries that would open a ticket; what was begun is settled by the ticket's absence. */
export const cancelDeliveriesOf = (
  tx: Tx,
  { deployment, tickets, by, at }: { deployment: string; tickets: readonly string[]; by: string; at: Date },
): Promise<number> =>
  tx.run`
    update delivery set state = 'cancelled', reason = 'Its findings were unlinked.', changed_by = ${by},
      ended_at = ${at}
    where deployment_id = ${deployment} and kind = 'ticket' and state in ('waiting', 'held')
      and subject->>'ticket' = any(${tickets}::text[])`;

/** Ends the delivery of a ticket that was opened or refused during the request. */
export const endDelivery = (
  tx: Tx,
  deployment: string,
  delivery: string,
  { state, reason, reference, at }: { state: string; reason?: string; reference?: string; at: Date },
): Promise<number> =>
  tx.run`
    update delivery set state = ${state}, reason = ${reason ?? null}, reference = ${reference ?? null}, ended_at = ${at}
    where deployment_id = ${deployment} and id = ${delivery}`;
