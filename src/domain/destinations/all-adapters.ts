import { DestinationAdapters } from '#domain/automations/deliveries/destination-adapter.ts';
import { type WebhookServices, webhookAdapter } from '#domain/automations/webhooks/webhook-adapter.ts';
import { type MailServices, mailAdapter } from '#domain/mailing/mail-adapter.ts';
import { incomingWebhookAdapter } from '#domain/slack/incoming-webhook.ts';
import { slackAdapter } from '#domain/slack/slack-adapter.ts';
import type { SlackServices } from '#domain/slack/slack-client.ts';
import { type StorageServices, s3Adapter } from '#domain/storage/s3-adapter.ts';
import { ticketAdapter } from '#domain/ticketing/ticket-adapter.ts';

/** What adapters use besides the database. */
export type AdapterServices = WebhookServices & SlackServices & MailServices & StorageServices;

/** All kinds of destinations. A new kind is one more adapter here. */
export const adaptersOf = (services: AdapterServices): DestinationAdapters =>
  new DestinationAdapters([
    webhookAdapter(services),
    slackAdapter(services),
    incomingWebhookAdapter(services),
    mailAdapter(services),
    s3Adapter(services),
    ticketAdapter(services),
  ]);
