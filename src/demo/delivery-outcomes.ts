import { z } from 'zod';
import type { DeliverySubject } from '#domain/automations/deliveries/destination-adapter.ts';
import { type DestinationRef, listDestinations } from '#domain/automations/deliveries/destination-store.ts';
import { adaptersOf } from '#domain/destinations/all-adapters.ts';
import { planTicket, recordOpened } from '#domain/ticketing/ticket-store.ts';
import { markRevoked } from '#domain/ticketing/ticketing-instances.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { DemoContext } from './context.ts';

const HOUR_MS = 3_600_000;
/** The chat fails since then; deliveries are given up after three days. */
const FAILING_AGO = 5.2;
const GIVEN_UP_AGO = 3.1;
/** The token of the tracker was revoked then. */
const REVOKED_AGO = 1.5;
const CLOSED_TICKETS = 3;
const FIRST_TICKET = 118;

const UNAVAILABLE = 'The receiver answered 503; only 200 to 299 mean that it has the event.';
const REVOKED = 'The tracker does not accept the token.';

const Waiting = z.object({
  id: z.string(),
  kind: z.string(),
  subject: z.unknown(),
  config: z.record(z.string(), z.string()),
  findings: z.array(z.string()),
  created_at: z.string(),
});
type WaitingDelivery = z.output<typeof Waiting>;

const listWaiting = (tx: Tx, { deployment, id }: DestinationRef): Promise<WaitingDelivery[]> =>
  tx.all(Waiting)`
    select id, kind, subject, config, findings::text[] as findings, created_at from delivery
    where deployment_id = ${deployment} and destination_id = ${id} and state = 'waiting' order by id`;

/** The bodies as they would be sent. */
async function writeBodies(tx: Tx, context: DemoContext, delivery: WaitingDelivery): Promise<number> {
  const { deployment, services } = context;
  const subject = delivery.subject as DeliverySubject;
  const composed = await adaptersOf(services)
    .ofKind('webhook')
    ?.compose(tx, { ...delivery, deployment, subject });
  const bodies = Array.isArray(composed) ? composed : [];
  for (const [part, body] of bodies.entries())
    await tx.run`
      insert into delivery_body (deployment_id, delivery_id, part, body, created_at)
      values (${deployment}, ${delivery.id}, ${part}, ${body}, ${delivery.created_at})`;
  return bodies.length;
}

/** A call that took some tenths of a second. */
async function recordCall(
  tx: Tx,
  deployment: string,
  {
    delivery,
    part = 0,
    at,
    status,
    detail,
  }: {
    delivery: string;
    part?: number;
    at: Date;
    status: number;
    detail?: string;
  },
): Promise<void> {
  await tx.run`
    insert into delivery_attempt (deployment_id, delivery_id, part, at, outcome, status, duration_ms, detail, answer)
    values (${deployment}, ${delivery}, ${part}, ${at}, ${detail === undefined ? 'sent' : 'failed'}, ${status},
      ${120 + (at.getTime() % 190)}, ${detail ?? null},
      ${detail === undefined ? '{"accepted":true}' : 'upstream is down'})`;
}

async function succeed(tx: Tx, context: DemoContext, delivery: WaitingDelivery): Promise<void> {
  const { deployment } = context;
  const parts = await writeBodies(tx, context, delivery);
  const at = new Date(Date.parse(delivery.created_at) + 1400);
  for (let part = 0; part < parts; part += 1)
    await recordCall(tx, deployment, { delivery: delivery.id, part, at, status: 200 });
  await tx.run`
    update delivery set state = 'sent', parts = ${parts}, sent_parts = ${parts}, ended_at = ${at}
    where deployment_id = ${deployment} and id = ${delivery.id}`;
}

async function failRepeatedly(tx: Tx, context: DemoContext, delivery: WaitingDelivery): Promise<void> {
  const { deployment } = context;
  const parts = await writeBodies(tx, context, delivery);
  const first = Date.parse(delivery.created_at) + 900;
  const isGivenUp = new Date(delivery.created_at) < context.daysAgo(GIVEN_UP_AGO);
  const attempts = isGivenUp ? 10 : 4;
  for (const hours of [0, 1, 4])
    await recordCall(tx, deployment, {
      ...{ delivery: delivery.id, at: new Date(first + hours * HOUR_MS), status: 503, detail: UNAVAILABLE },
    });
  await tx.run`
    update delivery set state = ${isGivenUp ? 'failed' : 'waiting'}, reason = ${UNAVAILABLE}, parts = ${parts},
      attempts = ${attempts}, next_at = ${context.daysAgo(-0.5)},
      ended_at = ${isGivenUp ? new Date(first + 75 * HOUR_MS) : null}
    where deployment_id = ${deployment} and id = ${delivery.id}`;
}

async function settleChat(tx: Tx, context: DemoContext, ref: DestinationRef): Promise<void> {
  const since = context.daysAgo(FAILING_AGO);
  for (const delivery of await listWaiting(tx, ref))
    await (new Date(delivery.created_at) < since ? succeed : failRepeatedly)(tx, context, delivery);
  await tx.run`
    update destination set state_reason = ${`Only failures for five days. ${UNAVAILABLE}`}, failures = 34,
      failing_since = ${since}, last_success_at = ${context.daysAgo(FAILING_AGO + 0.3)},
      last_failure_at = ${context.daysAgo(0.03)}, last_failure = ${UNAVAILABLE}
    where deployment_id = ${ref.deployment} and id = ${ref.id}`;
}

async function settleSiem(tx: Tx, context: DemoContext, ref: DestinationRef): Promise<void> {
  for (const delivery of await listWaiting(tx, ref)) await succeed(tx, context, delivery);
  await tx.run`
    update destination set state = 'active', last_success_at = (
      select max(ended_at) from delivery
      where delivery.deployment_id = ${ref.deployment} and delivery.destination_id = ${ref.id})
    where deployment_id = ${ref.deployment} and id = ${ref.id}`;
}

/** Opens the tickets of the time before the token was revoked; later ones wait. */
async function settleTracker(tx: Tx, context: DemoContext, ref: DestinationRef): Promise<void> {
  const { deployment } = ref;
  const revokedAt = context.daysAgo(REVOKED_AGO);
  const due = (await listWaiting(tx, ref)).filter((delivery) => new Date(delivery.created_at) < revokedAt);
  for (const [index, delivery] of due.entries()) {
    const at = new Date(Date.parse(delivery.created_at) + 2600);
    const order = { deployment, instance: ref.id, trackerProject: 'SHOP', findings: delivery.findings, by: 'demo', at };
    const planned = await planTicket(tx, order);
    const slug = `SHOP-${FIRST_TICKET + index}`;
    if (planned) {
      const opened = { externalId: String(20_400 + index), slug, url: `https://jira.acme.example/browse/${slug}` };
      await recordOpened(tx, { deployment, ticket: planned.ticket }, opened, at);
      if (index < CLOSED_TICKETS)
        await tx.run`
          update ticket set state = 'closed' where deployment_id = ${deployment} and id = ${planned.ticket}`;
    }
    await tx.run`
      update delivery set state = ${planned ? 'sent' : 'cancelled'}, reference = ${planned ? slug : null}, parts = 1,
        sent_parts = ${planned ? 1 : 0}, ended_at = ${at}
      where deployment_id = ${deployment} and id = ${delivery.id}`;
  }
  await markRevoked(tx, ref);
  await tx.run`
    update destination set state_reason = ${REVOKED}, failures = 1, failing_since = ${revokedAt},
      last_success_at = ${context.daysAgo(REVOKED_AGO + 0.4)}, last_failure_at = ${revokedAt}, last_failure = ${REVOKED}
    where deployment_id = ${deployment} and id = ${ref.id}`;
}

const SETTLEMENTS: Record<string, typeof settleSiem> = {
  SIEM: settleSiem,
  'Payments chat': settleChat,
  'Acme Jira': settleTracker,
};

/** Makes up what became of the deliveries: one receiver works, one fails, and the tracker has revoked the token. */
export async function settleDeliveries(tx: Tx, context: DemoContext): Promise<void> {
  const { deployment } = context;
  for (const { id, name } of await listDestinations(tx, deployment))
    await SETTLEMENTS[name]?.(tx, context, { deployment, id });
}
