import { z } from 'zod';
import * as plain from '#kernel/contract/plain-fields.ts';
import { oneOf } from '#kernel/contract/proto-fields.ts';

export const NotificationChannel = oneOf(['CHANNEL_EMAIL', 'CHANNEL_SLACK_WEBHOOK', 'CHANNEL_WEBHOOK', 'CHANNEL_S3']);
export type NotificationChannel = z.output<typeof NotificationChannel>;

/** A notification rule; secrets of its config are never shown. */
export const NotificationRule = z.object({
  id: plain.id('NotificationRule'),
  channel: NotificationChannel,
  config: z.record(z.string(), z.string()),
  is_enabled: z.boolean(),
  name: z.string(),
  policy_slugs: z.array(z.string()),
  use_network_broker: z.boolean(),
  config_error: z.string(),
  send_scan_completion: z.boolean(),
});
export type NotificationRule = z.output<typeof NotificationRule>;

/** What the examples of the API description show. */
export const exampleIds = { NotificationRule: '4' };
