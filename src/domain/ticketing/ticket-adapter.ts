import { z } from 'zod';
import type {
  DeliveryOutcome,
  DeliveryToCompose,
  DestinationAdapter,
} from '#domain/automations/deliveries/destination-adapter.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { type OpenResult, openTicket } from './open-ticket.ts';
import { composeTicket } from './ticket-content.ts';
import { findingsOf, lockTicket, planTicket } from './ticket-store.ts';
import { findSettings, listInstances, TRACKER_DESTINATION } from './ticketing-instances.ts';
import { type TrackerServices, trackerOf } from './trackers/all-trackers.ts';

/** The body of a delivery: the intent, and the content as it was before the first attempt. */
const TicketBody = z.object({
  ticket: z.string(),
  content: z.object({ title: z.string(), text: z.array(z.custom<never>()), fields: z.record(z.string(), z.string()) }),
});

const Sender = z.object({ destination_id: z.string(), created_by: z.string(), tracker_project: z.string() });

/** The instance of a delivery, and the project that its action names. */
const senderOf = (tx: Tx, { deployment, id }: DeliveryToCompose) =>
  tx.one(Sender)`
    select delivery.destination_id, coalesce('automation:' || delivery.automation_id, 'system') as created_by,
      coalesce(nullif(delivery.config->>'project_id', ''), instance.tracker_project) as tracker_project
    from delivery join ticketing_instance as instance
      on instance.deployment_id = delivery.deployment_id and instance.destination_id = delivery.destination_id
    where delivery.deployment_id = ${deployment} and delivery.id = ${id}`;

/** The intent of a delivery: the one that a request wrote, or a new one for the findings of an automation. */
async function intentOf(tx: Tx, delivery: DeliveryToCompose, at: Date): Promise<string | undefined> {
  const { deployment, subject, findings } = delivery;
  if (subject.ticket !== undefined)
    return (await lockTicket(tx, { deployment, ticket: subject.ticket })) && subject.ticket;
  const sender = await senderOf(tx, delivery);
  if (!sender) return undefined;
  const { destination_id: instance, tracker_project: trackerProject, created_by: by } = sender;
  const planned = await planTicket(tx, { deployment, instance, trackerProject, findings, by, at });
  if (!planned) return undefined;
  await tx.run`
    update delivery set subject = subject || ${JSON.stringify({ ticket: planned.ticket })}::jsonb
    where deployment_id = ${deployment} and id = ${delivery.id}`;
  return planned.ticket;
}

function outcomeOf(result: OpenResult): DeliveryOutcome {
  if (result.kind === 'opened') return { kind: 'sent', reference: result.opened.slug };
  const { detail, status } = result;
  const common = { detail, ...(status !== undefined && { status }) };
  if (result.kind === 'revoked') return { kind: 'disabled', ...common };
  if (result.kind === 'refused') return { kind: 'refused', ...common };
  const { retryAfterMs } = result;
  return { kind: 'failed', ...common, ...(retryAfterMs !== undefined && { retryAfterMs }) };
}

/** Trackers: one ticket for each delivery. */
export function ticketAdapter(services: TrackerServices): DestinationAdapter {
  return {
    kind: TRACKER_DESTINATION,
    audience: 'trackers',
    actions: ['ACTION_TYPE_JIRA'],

    resolve: async (tx, deployment, { config }) => {
      const instances = await listInstances(tx, deployment);
      const { credential_slug: slug, instance_id: id } = config;
      const found = instances.find((instance) => (id === undefined ? instance.slug === slug : instance.id === id));
      return found ? { destination: found.id } : { skip: 'The tracker is not connected any more.' };
    },

    compose: async (tx, delivery) => {
      const { deployment } = delivery;
      const ticket = await intentOf(tx, delivery, new Date());
      if (ticket === undefined) return { skip: 'All of its findings have tickets, or are fixed.' };
      const found = await lockTicket(tx, { deployment, ticket });
      const settings = found && (await findSettings(tx, services.keys, { deployment, id: found.destination_id }));
      if (!found || !settings) return { skip: 'The tracker is not connected any more.' };
      const findings = await findingsOf(tx, { deployment, ticket });
      const { baseUrl } = services;
      const context = { deployment, baseUrl, fields: settings.fields, followsSlug: found.follows_slug };
      const content = await composeTicket(tx, context, findings);
      return content ? [JSON.stringify({ ticket, content })] : [];
    },

    connect: async (tx, { deployment, id }, write) => {
      const settings = await findSettings(tx, services.keys, { deployment, id });
      return async ({ body, at }) => {
        if (!settings) return { kind: 'disabled', detail: 'The tracker has no token any more.' };
        const { ticket, content } = TicketBody.parse(JSON.parse(body));
        return outcomeOf(await openTicket(write, trackerOf(services, settings), { deployment, ticket, content, at }));
      };
    },
  };
}
