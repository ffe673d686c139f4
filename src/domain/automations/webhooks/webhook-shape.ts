import { z } from 'zod';
import { id, timestamp } from '#kernel/contract/proto-fields.ts';

/** A webhook without its secret, which is never shown. */
export const NotificationWebhook = z.object({
  id: id('NotificationWebhook'),
  name: z.string(),
  url: z.string(),
  hasSecret: z.boolean(),
  useNetworkBroker: z.boolean(),
  /** Sends an event for every scan, also without findings. */
  sendScanCompletion: z.boolean(),
  /** Until then the previous secret signs too. */
  previousSecretUntil: timestamp().optional(),
});
export type NotificationWebhook = z.output<typeof NotificationWebhook>;
