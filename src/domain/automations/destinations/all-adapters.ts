import { ticketAdapter } from '#domain/ticketing/ticket-adapter.ts';
import { DestinationAdapters } from '../deliveries/destination-adapter.ts';
import { type WebhookServices, webhookAdapter } from '../webhooks/webhook-adapter.ts';

/** What adapters use besides the database. */
export type AdapterServices = WebhookServices;

/** All kinds of destinations. A new kind is one more adapter here. */
export const adaptersOf = (services: AdapterServices): DestinationAdapters =>
  new DestinationAdapters([webhookAdapter(services), ticketAdapter(services)]);
