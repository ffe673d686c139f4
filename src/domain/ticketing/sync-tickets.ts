import { z } from 'zod';
import { insertDelivery } from '#domain/automations/deliveries/delivery-store.ts';
import type { DestinationRef } from '#domain/automations/deliveries/destination-store.ts';
import { notify } from '#domain/notifications/store.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { decideTicket } from './decide-ticket.ts';
import { forgetTicket } from './link-tickets.ts';
import { recordRevoked, type Write } from './open-ticket.ts';
import { findingsOf, planTicket } from './ticket-store.ts';
import { findSettings } from './ticketing-instances.ts';
import { type TrackerServices, trackerOf } from './trackers/all-trackers.ts';
import { paragraph } from './trackers/ticket-text.ts';
import type { RemoteTicket, Tracker } from './trackers/tracker.ts';
import { TrackerFailure } from './trackers/tracker-failure.ts';

/** A ticket is compared so often at most. */
export const SYNC_PERIOD_MS = 10 * 60_000;
const TICKETS_PER_ROUND = 200;
/** An object that is missing once may be hidden by a fault of the tracker. */
const MISSING_MS = 2 * SYNC_PERIOD_MS - 60_000;

const DueTicket = z.object({
  id: z.string(),
  external_id: z.string(),
  slug: z.string(),
  url: z.string(),
  tracker_project: z.string(),
  open: z.coerce.number(),
  is_fixed_told: z.boolean(),
  is_closed_told: z.boolean(),
  missing_since: z.string().optional(),
});
type DueTicket = z.output<typeof DueTicket>;

/** The tickets to compare, longest ago first. Closed ones of fixed findings need no call until a finding returns. */
const listDue = (tx: Tx, { deployment, id }: DestinationRef, now: Date) =>
  tx.all(DueTicket)`
    select ticket.id, ticket.external_id, ticket.slug, ticket.url, ticket.tracker_project, counts.open,
      ticket.fixed_told_at is not null as is_fixed_told, ticket.closed_told_at is not null as is_closed_told,
      ticket.missing_since
    from ticket cross join lateral (
      select count(*) filter (where finding.status not in ('fixed', 'removed')) as open
      from ticket_finding as linked join finding
        on finding.deployment_id = linked.deployment_id and finding.id = linked.finding_id
      where linked.deployment_id = ticket.deployment_id and linked.ticket_id = ticket.id) as counts
    where ticket.deployment_id = ${deployment} and ticket.destination_id = ${id} and ticket.external_id is not null
      and coalesce(ticket.synced_at, '-infinity') <= ${new Date(now.getTime() - SYNC_PERIOD_MS + 60_000)}
      and not (counts.open = 0 and ticket.fixed_told_at is not null)
    order by ticket.synced_at nulls first, ticket.id limit ${TICKETS_PER_ROUND}::int`;

interface Turn {
  deployment: string;
  instance: string;
  ticket: DueTicket;
  at: Date;
}

const recordSeen = (tx: Tx, { deployment, ticket, at }: Turn, remote: RemoteTicket) =>
  tx.run`
    update ticket set state = ${remote.state}, slug = ${remote.slug}, url = ${remote.url}, missing_since = null,
      synced_at = ${at}
    where deployment_id = ${deployment} and id = ${ticket.id}`;

const setFixedTold = (tx: Tx, { deployment, ticket }: Turn, at: Date | null) =>
  tx.run`update ticket set fixed_told_at = ${at} where deployment_id = ${deployment} and id = ${ticket.id}`;

/** The ticket does not exist any more, or is hidden from our account: after two looks the findings are free. */
async function recordMissing(tx: Tx, { deployment, ticket, at }: Turn): Promise<void> {
  const isGone = ticket.missing_since !== undefined && at.getTime() - Date.parse(ticket.missing_since) >= MISSING_MS;
  if (!isGone) {
    await tx.run`
      update ticket set missing_since = coalesce(missing_since, ${at}), synced_at = ${at}
      where deployment_id = ${deployment} and id = ${ticket.id}`;
    return;
  }
  await forgetTicket(tx, { deployment, ticket: ticket.id }, { by: 'system', at });
  await notify(tx, {
    deployment,
    isAdminOnly: true,
    severity: 'SEVERITY_WARNING',
    title: `${ticket.slug} does not exist any more`.slice(0, 200),
    description: 'The tracker does not show it to our account, so its findings are not linked with it any more.',
  });
}

/** Tells the tracker that all is fixed: by its own workflow, else in words. The words are said at most once. */
async function closeRemote(write: Write, tracker: Tracker, turn: Turn): Promise<void> {
  const { ticket, at, deployment } = turn;
  if (await tracker.close(ticket.external_id)) {
    await write(async (tx) => {
      await setFixedTold(tx, turn, at);
      await tx.run`update ticket set state = 'closed' where deployment_id = ${deployment} and id = ${ticket.id}`;
    });
    return;
  }
  await write((tx) => setFixedTold(tx, turn, at));
  const text = [
    paragraph('Scans find none of these findings any more. The workflow offers no way to close the ticket.'),
  ];
  try {
    await tracker.comment(ticket.external_id, text);
  } catch (error) {
    const isSurelyUnsaid = error instanceof TrackerFailure && error.kind !== 'unclear';
    if (isSurelyUnsaid) await write((tx) => setFixedTold(tx, turn, null));
    throw error;
  }
}

/** Opens a new ticket for findings that came back, because the old one cannot be opened again. */
async function openFollowing(tx: Tx, { deployment, instance, ticket, at }: Turn): Promise<void> {
  const findings = await findingsOf(tx, { deployment, ticket: ticket.id });
  await forgetTicket(tx, { deployment, ticket: ticket.id }, { by: 'system', at });
  const planned = await planTicket(tx, {
    ...{ deployment, instance, trackerProject: ticket.tracker_project, findings, by: 'system', at },
    followsSlug: ticket.slug,
  });
  if (!planned) return;
  await insertDelivery(tx, {
    ...{ deployment, destination: instance, kind: 'ticket', findings: planned.findings, state: 'waiting', at },
    subject: { ticket: planned.ticket },
  });
}

async function reopenRemote(write: Write, tracker: Tracker, turn: Turn): Promise<void> {
  const { deployment, ticket } = turn;
  if (!(await tracker.reopen(ticket.external_id))) {
    await write((tx) => openFollowing(tx, turn));
    return;
  }
  await write(async (tx) => {
    await setFixedTold(tx, turn, null);
    await tx.run`update ticket set state = 'open' where deployment_id = ${deployment} and id = ${ticket.id}`;
  });
  await tracker.comment(ticket.external_id, [paragraph('Scans detect findings of this ticket again.')]);
}

const tellClosed = async (tx: Tx, { deployment, ticket, at }: Turn): Promise<void> => {
  const what = ticket.open === 1 ? 'its finding is' : `${ticket.open} findings are`;
  await tx.run`update ticket set closed_told_at = ${at} where deployment_id = ${deployment} and id = ${ticket.id}`;
  await notify(tx, {
    deployment,
    isAdminOnly: true,
    severity: 'SEVERITY_WARNING',
    title: `${ticket.slug} was closed, but ${what} still detected`.slice(0, 200),
    description: 'A closed ticket closes no finding. Ignore the findings with a reason, or open the ticket again.',
    link: ticket.url,
    linkText: ticket.slug.slice(0, 64),
  });
};

/** Fetches a ticket, compares it with its findings, and does what follows. */
async function syncTicket(write: Write, tracker: Tracker, turn: Turn): Promise<void> {
  const { ticket, at, deployment } = turn;
  const remote = await tracker.fetch(ticket.external_id);
  if (!remote) {
    await write((tx) => recordMissing(tx, turn));
    return;
  }
  await write((tx) => recordSeen(tx, turn, remote));
  const { open, is_fixed_told: isFixedTold, is_closed_told: isClosedTold } = ticket;
  const decision = decideTicket({ open, remote: remote.state, isFixedTold, isClosedTold });
  if (decision === 'close') await closeRemote(write, tracker, turn);
  else if (decision === 'reopen') await reopenRemote(write, tracker, turn);
  else if (decision === 'tell_closed') await write((tx) => tellClosed(tx, turn));
  else if (decision === 'settle') await write((tx) => setFixedTold(tx, turn, at));
  else if (decision === 'forget')
    await write(
      (tx) => tx.run`
        update ticket set fixed_told_at = null, closed_told_at = null
        where deployment_id = ${deployment} and id = ${ticket.id}`,
    );
}

/** Kinds of failures after which asking for the next ticket makes no sense. */
const ENDS_ROUND: readonly string[] = ['revoked', 'limited', 'unreachable'];

/** Compares the due tickets of an instance. A failure of one ticket does not keep the others from their turn. */
export async function syncInstance(
  write: Write,
  services: TrackerServices,
  { deployment, id, at, signal }: DestinationRef & { at: Date; signal?: AbortSignal },
): Promise<number> {
  const ref = { deployment, id };
  const { settings, due } = await write(async (tx) => ({
    settings: await findSettings(tx, services.keys, ref),
    due: await listDue(tx, ref, at),
  }));
  if (!settings) return 0;
  const tracker = trackerOf(services, settings);
  let done = 0;
  for (const ticket of due) {
    if (signal?.aborted) break;
    try {
      await syncTicket(write, tracker, { deployment, instance: id, ticket, at });
      done += 1;
    } catch (error) {
      if (!(error instanceof TrackerFailure)) throw error;
      if (error.kind === 'revoked') await write((tx) => recordRevoked(tx, ref, error.message));
      if (ENDS_ROUND.includes(error.kind)) break;
    }
  }
  return done;
}
