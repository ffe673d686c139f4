import { notify } from '#domain/notifications/store.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { TicketContent } from './ticket-content.ts';
import * as store from './ticket-store.ts';
import { findInstance, markRevoked } from './ticketing-instances.ts';
import type { Tracker, TrackerTicket } from './trackers/tracker.ts';
import { TrackerFailure } from './trackers/tracker-failure.ts';

/** Runs work in a transaction of its own in the deployment. */
export type Write = <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>;

export type OpenResult =
  | { kind: 'opened'; opened: TrackerTicket }
  /** The tracker would refuse it again; the findings are free for another ticket. */
  | { kind: 'refused'; detail: string; status?: number | undefined }
  | { kind: 'revoked'; detail: string; status?: number | undefined }
  /** To be tried later. If it is unclear, the ticket may exist and is looked for first. */
  | {
      kind: 'later';
      detail: string;
      status?: number | undefined;
      retryAfterMs?: number | undefined;
      isUnclear: boolean;
    };

export interface OpenOrder {
  deployment: string;
  ticket: string;
  content: TicketContent;
  at: Date;
}

const RETRY_LOOKUP_MS = 30_000;

/** What is to be done with an intent: open it, or look for it first, or neither yet. */
type Step =
  | { do: 'create' | 'find'; ticket: store.StoredTicket }
  | { do: 'wait'; ms: number }
  | { do: 'nothing'; ticket: TrackerTicket | undefined };

async function nextStep(tx: Tx, tracker: Tracker, { deployment, ticket, at }: OpenOrder): Promise<Step> {
  const ref = { deployment, ticket };
  const found = await store.lockTicket(tx, ref);
  if (!found) return { do: 'nothing', ticket: undefined };
  const { external_id: externalId, slug = '', url = '' } = found;
  if (externalId !== undefined) return { do: 'nothing', ticket: { externalId, slug, url } };
  if (found.called_at === undefined) {
    await store.markCalled(tx, ref, at);
    return { do: 'create', ticket: found };
  }
  const remainingMs = Date.parse(found.called_at) + tracker.settleMs - at.getTime();
  return remainingMs > 0 ? { do: 'wait', ms: remainingMs } : { do: 'find', ticket: found };
}

/** Tells the administrators once that a token is not accepted any more. */
export async function recordRevoked(tx: Tx, ref: { deployment: string; id: string }, detail: string): Promise<void> {
  if (!(await markRevoked(tx, ref))) return;
  const instance = await findInstance(tx, ref);
  await notify(tx, {
    deployment: ref.deployment,
    isAdminOnly: true,
    severity: 'SEVERITY_ERROR',
    title: `${instance?.name ?? 'A tracker'} does not accept its token any more`.slice(0, 200),
    description: `${detail} Tickets wait until the integration gets a new token.`,
  });
}

/** Frees the findings of a refused intent and records the reason at them. */
async function release(tx: Tx, { deployment, ticket, at }: OpenOrder, message: string): Promise<void> {
  const ref = { deployment, ticket };
  await store.recordFailedAttempts(tx, deployment, { findings: await store.findingsOf(tx, ref), message, at });
  await store.deleteTicket(tx, ref);
}

async function recordFailure(
  write: Write,
  order: OpenOrder,
  { failure, isCreation, instance }: { failure: TrackerFailure; isCreation: boolean; instance: string },
): Promise<OpenResult> {
  const { kind, message: detail, status, retryAfterMs } = failure;
  const { deployment, ticket, at } = order;
  const ref = { deployment, ticket };
  // A creation that surely failed needs no look-up; a failed look-up changes nothing.
  if (isCreation && kind !== 'unclear') await write((tx) => store.clearCalled(tx, ref));
  if (kind === 'revoked') {
    await write((tx) => recordRevoked(tx, { deployment, id: instance }, detail));
    return { kind: 'revoked', detail, status };
  }
  if (isCreation && (kind === 'refused' || kind === 'gone')) {
    await write((tx) => release(tx, order, detail));
    return { kind: 'refused', detail, status };
  }
  await write(async (tx) => {
    const findings = await store.findingsOf(tx, ref);
    await store.recordFailedAttempts(tx, deployment, { findings, message: detail, at });
  });
  return { kind: 'later', detail, status, retryAfterMs, isUnclear: kind === 'unclear' || !isCreation };
}

/**
 * Opens the ticket of an intent, or finds it if an earlier call may have opened it. It is recorded before each call
 * that it is made, so that not even a killed process opens a ticket twice.
 */
export async function openTicket(write: Write, tracker: Tracker, order: OpenOrder): Promise<OpenResult> {
  const { deployment, ticket: id, content, at } = order;
  const ref = { deployment, ticket: id };
  const step = await write((tx) => nextStep(tx, tracker, order));
  if (step.do === 'wait')
    return {
      kind: 'later',
      detail: 'It is not known whether the tracker opened the ticket; it is looked for.',
      retryAfterMs: step.ms,
      isUnclear: true,
    };
  if (step.do === 'nothing')
    return step.ticket
      ? { kind: 'opened', opened: step.ticket }
      : { kind: 'refused', detail: 'Its findings were unlinked.' };
  const { ticket } = step;
  const opened = (made: TrackerTicket): Promise<OpenResult> =>
    write(async (tx) => {
      await store.recordOpened(tx, ref, made, at);
      return { kind: 'opened', opened: made };
    });
  let isCreation = step.do === 'create';
  try {
    if (!isCreation) {
      const found = await tracker.find(ticket.intent, ticket.tracker_project);
      if (found) return await opened(found);
      if (ticket.lookups + 1 < tracker.lookups) {
        await write((tx) => store.countLookup(tx, ref));
        const detail = 'The tracker does not show the ticket; it is looked for once more.';
        return { kind: 'later', detail, retryAfterMs: RETRY_LOOKUP_MS, isUnclear: true };
      }
      await write((tx) => store.markCalled(tx, ref, at));
      isCreation = true;
    }
    const draft = { intent: ticket.intent, trackerProject: ticket.tracker_project, ...content };
    return await opened(await tracker.create(draft));
  } catch (failure) {
    if (!(failure instanceof TrackerFailure)) throw failure;
    return recordFailure(write, order, { failure, isCreation, instance: ticket.destination_id });
  }
}
