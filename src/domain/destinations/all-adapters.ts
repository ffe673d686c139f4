import { DestinationAdapters } from '#domain/automations/deliveries/destination-adapter.ts';
import { type WebhookServices, webhookAdapter } from '#domain/automations/webhooks/webhook-adapter.ts';
import { ticketAdapter } from '#domain/ticketing/ticket-adapter.ts';

/** What adapters use besides the database. */
export type AdapterServices = WebhookServices;

/** All kinds of destinations. A new kind is one more adapter here. */
export const adaptersOf = (services: AdapterServices): DestinationAdapters =>
  new DestinationAdapters([webhookAdapter(services), ticketAdapter(services)]);
