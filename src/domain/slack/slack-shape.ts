import { z } from 'zod';
import { fault } from '#kernel/contract/fault.ts';
import * as plain from '#kernel/contract/plain-fields.ts';

/** A channel that automations can send to. */
export const SlackChannelMapping = z.object({
  id: z.string(),
  installation_id: z.string(),
  channel_id: z.string(),
  channel_name: z.string(),
});
export type SlackChannelMapping = z.output<typeof SlackChannelMapping>;

/** What a channel is told about. Empty lists mean all products and all projects. */
export const SlackNotificationMapping = SlackChannelMapping.extend({
  deployment_id: plain.id('Deployment'),
  deployment_slug: z.string(),
  team_id: z.string(),
  team_name: z.string(),
  sast_enabled: z.boolean(),
  sca_enabled: z.boolean(),
  products: z.array(z.string()),
  projects: z.array(z.string()),
  policies: z.array(z.string()),
});
export type SlackNotificationMapping = z.output<typeof SlackNotificationMapping>;

/** The Slack app of a deployment without its secret, which is never shown. */
export const SlackApp = z.object({
  client_id: z.string(),
  has_client_secret: z.boolean(),
  redirect_url: z.string(),
  /** JSON, for "Create an app from a manifest". */
  manifest: z.string(),
});
export type SlackApp = z.output<typeof SlackApp>;

/** A channel of the workspace. */
export const SlackConversation = z.object({
  channel_id: z.string(),
  channel_name: z.string(),
  is_private: z.boolean(),
  /** False for a private channel means that somebody has to invite the app first. */
  is_member: z.boolean(),
});
export type SlackConversation = z.output<typeof SlackConversation>;

export const SLACK_NOT_INSTALLED = fault(
  'SLACK_NOT_INSTALLED',
  409,
  'The Slack app is not installed in a workspace.',
  'Set the app, open the `redirect_url` of the installation in a browser, and allow it there.',
);
export const SLACK_UNAVAILABLE = fault(
  'SLACK_UNAVAILABLE',
  502,
  'Slack did not do what was asked: {reason}',
  'Try again later; if Slack does not accept the token, install the app again.',
);

/** What the examples of the API description show. */
export const exampleIds = { SlackChannelMapping: '9', SlackDeployment: '1' };
