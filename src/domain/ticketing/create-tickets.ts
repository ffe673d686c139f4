import { insertDelivery, wakeDestination } from '#domain/automations/deliveries/delivery-store.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { type OpenResult, openTicket, type Write } from './open-ticket.ts';
import { composeTicket } from './ticket-content.ts';
import * as store from './ticket-store.ts';
import { findSettings } from './ticketing-instances.ts';
import { type TrackerServices, trackerOf } from './trackers/all-trackers.ts';

/** How long a ticket that is opened during a request is not opened by a worker. */
const REQUEST_MS = 2 * 60_000;
/** A call that begins may take this long. */
const CALL_MS = 8_000;

export interface TicketOrder {
  deployment: string;
  instance: string;
  /** The project at the tracker; empty for the default of the instance. */
  trackerProject: string;
  findings: readonly string[];
  isGrouped: boolean;
  findingsPerTicket?: number;
  maxTickets: number;
  /** True if what cannot be opened now is opened later; else it is reported as failed. */
  isRestQueued: boolean;
  /** After this time no further ticket is begun. */
  budgetMs: number;
  by: string;
  now: Date;
}

export interface CreatedTickets {
  succeeded: { findings: string[]; ticket: string; url: string; slug: string }[];
  failed: { findings: string[]; error: string }[];
  skipped: { findings: string[]; reason: string }[];
}

interface PlannedTicket {
  ticket: string;
  delivery: string;
  findings: string[];
}

/** Sorts out findings that are fixed or have a ticket. */
async function selectFindings(
  tx: Tx,
  { deployment, findings }: TicketOrder,
  result: CreatedTickets,
): Promise<string[]> {
  const standing = await store.standingOf(tx, deployment, findings);
  const idsOf = (rows: typeof standing) => rows.map(({ id }) => id);
  const ticketed = Map.groupBy(
    standing.filter(({ ticket }) => ticket !== undefined),
    ({ slug }) => (slug === undefined ? 'A ticket is being opened.' : `Ticket ${slug} exists.`),
  );
  for (const [reason, rows] of ticketed) result.skipped.push({ findings: idsOf(rows), reason });
  const closed = standing.filter(({ ticket, is_closed: isClosed }) => ticket === undefined && isClosed);
  if (closed.length > 0)
    result.failed.push({ findings: idsOf(closed), error: 'Fixed and removed findings get no ticket.' });
  return idsOf(standing.filter(({ ticket, is_closed: isClosed }) => ticket === undefined && !isClosed));
}

/**
 * Writes the intents, each with a delivery that opens the ticket if this request does not: so that nothing is lost when
 * the process ends in between, and the queue shows what is still to come.
 */
async function planTickets(tx: Tx, order: TicketOrder, result: CreatedTickets): Promise<PlannedTicket[]> {
  const { deployment, instance, trackerProject, isGrouped, by, now, findingsPerTicket: most, maxTickets } = order;
  const findings = await selectFindings(tx, order, result);
  const groups = await store.groupFindings(tx, deployment, { findings, isGrouped, ...(most && { most }) });
  const planned: PlannedTicket[] = [];
  for (const { project, rule, findings: group } of groups) {
    if (planned.length >= maxTickets && !order.isRestQueued) {
      result.failed.push({ findings: group, error: `A request opens at most ${maxTickets} tickets.` });
      continue;
    }
    const made = await store.planTicket(tx, { deployment, instance, trackerProject, findings: group, by, at: now });
    const missed = group.filter((id) => !made?.findings.includes(id));
    if (missed.length > 0) result.skipped.push({ findings: missed, reason: 'A ticket is being opened.' });
    if (!made) continue;
    const delivery = await insertDelivery(tx, {
      ...{ deployment, destination: instance, kind: 'ticket', findings: made.findings, state: 'waiting', at: now },
      subject: { project, rule, ticket: made.ticket },
      nextAt: new Date(now.getTime() + REQUEST_MS),
    });
    planned.push({ ...made, delivery });
  }
  return planned;
}

/** Has a worker open the tickets that this request did not begin. */
async function queueRest(tx: Tx, { deployment, instance, now }: TicketOrder, rest: readonly PlannedTicket[]) {
  await tx.run`
    update delivery set next_at = ${now}
    where deployment_id = ${deployment} and id = any(${rest.map(({ delivery }) => delivery)}::bigint[])`;
  await wakeDestination(tx, { deployment, destination: instance });
}

/** Gives up an intent that nothing was done for. */
async function giveUp(
  tx: Tx,
  { deployment, now }: TicketOrder,
  { ticket, delivery, findings }: PlannedTicket,
  error: string,
) {
  await store.recordFailedAttempts(tx, deployment, { findings, message: error, at: now });
  await store.deleteTicket(tx, { deployment, ticket });
  await store.endDelivery(tx, deployment, delivery, { state: 'failed', reason: error, at: now });
}

async function settle(
  write: Write,
  order: TicketOrder,
  { planned, opening, result }: { planned: PlannedTicket; opening: OpenResult; result: CreatedTickets },
): Promise<void> {
  const { deployment, now, isRestQueued } = order;
  const { ticket, delivery, findings } = planned;
  if (opening.kind === 'opened') {
    const { slug, url } = opening.opened;
    await write((tx) => store.endDelivery(tx, deployment, delivery, { state: 'sent', reference: slug, at: now }));
    result.succeeded.push({ findings, ticket, url, slug });
    return;
  }
  const { detail } = opening;
  if (opening.kind === 'refused') {
    await write((tx) => store.endDelivery(tx, deployment, delivery, { state: 'failed', reason: detail, at: now }));
    result.failed.push({ findings, error: detail });
    return;
  }
  if (opening.kind === 'later' && opening.isUnclear) {
    const error = `${detail} The ticket is looked for before it is opened again.`;
    if (isRestQueued) result.skipped.push({ findings, reason: `queued: ${error}` });
    else result.failed.push({ findings, error });
    return;
  }
  if (isRestQueued) {
    result.skipped.push({ findings, reason: `queued: ${detail}` });
    return;
  }
  await write((tx) => giveUp(tx, order, planned, detail));
  result.failed.push({ findings, error: detail });
}

/**
 * Opens tickets for findings, as many as fit into the time. `begin` writes the intents, and `write` what comes of them.
 */
export async function createTickets(
  { begin, write }: { begin: Write; write: Write },
  services: TrackerServices,
  order: TicketOrder,
): Promise<CreatedTickets> {
  const start = performance.now();
  const { deployment, instance, now, maxTickets, isRestQueued } = order;
  const result: CreatedTickets = { succeeded: [], failed: [], skipped: [] };
  const { planned, settings } = await begin(async (tx) => {
    // Work that is repeated after a deadlock begins anew.
    for (const list of [result.succeeded, result.failed, result.skipped]) list.length = 0;
    const found = await findSettings(tx, services.keys, { deployment, id: instance });
    const trackerProject = order.trackerProject || (found?.trackerProject ?? '');
    return { settings: found, planned: found ? await planTickets(tx, { ...order, trackerProject }, result) : [] };
  });
  if (!settings) return result;
  const tracker = trackerOf(services, settings, CALL_MS);
  let begun = 0;
  let isStopped = false;
  for (const one of planned) {
    if (begun >= maxTickets || isStopped || performance.now() - start > order.budgetMs) break;
    begun += 1;
    const context = { deployment, baseUrl: services.baseUrl, fields: settings.fields };
    const content = await write((tx) => composeTicket(tx, context, one.findings));
    if (!content) continue;
    const opening = await openTicket(write, tracker, { deployment, ticket: one.ticket, content, at: now });
    await settle(write, order, { planned: one, opening, result });
    isStopped = opening.kind === 'revoked' || (opening.kind === 'later' && !opening.isUnclear);
  }
  const rest = planned.slice(begun);
  if (rest.length === 0) return result;
  await write(async (tx) => {
    if (isRestQueued) await queueRest(tx, order, rest);
    else for (const one of rest) await giveUp(tx, order, one, 'There was no time for this ticket.');
  });
  for (const { findings } of rest)
    if (isRestQueued) result.skipped.push({ findings, reason: 'queued' });
    else result.failed.push({ findings, error: 'There was no time for this ticket.' });
  return result;
}
