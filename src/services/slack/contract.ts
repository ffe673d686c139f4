import { z } from 'zod';
import {
  SLACK_NOT_INSTALLED,
  SLACK_UNAVAILABLE,
  SlackApp,
  SlackChannelMapping,
  SlackConversation,
  SlackNotificationMapping,
} from '#domain/slack/slack-shape.ts';
import { NOT_FOUND } from '#kernel/contract/common-faults.ts';
import { fault } from '#kernel/contract/fault.ts';
import { operation } from '#kernel/contract/operation.ts';
import * as plain from '#kernel/contract/plain-fields.ts';
import { asNumber, deployment, id } from '#kernel/contract/proto-fields.ts';

export const MAX_SLACK_CHANNELS = 200;
const MAX_CONVERSATIONS = 200;

export const SLACK_APP_MISSING = fault(
  'SLACK_APP_MISSING',
  409,
  'The deployment has no Slack app.',
  'Create one from the manifest at https://api.slack.com/apps, and set its client id and client secret.',
);
export const SLACK_INSTALLED = fault(
  'SLACK_INSTALLED',
  409,
  'The Slack app is installed in {team}.',
  'Delete the installation first: its token belongs to this app and this workspace.',
);
export const SLACK_STATE_REFUSED = fault(
  'SLACK_STATE_REFUSED',
  400,
  'The installation was started by somebody else, too long ago, or has already ended.',
  'Start it again, and finish it within 15 minutes in the same session.',
);
export const SLACK_CHANNEL_QUOTA = fault(
  'SLACK_CHANNEL_QUOTA',
  409,
  'A deployment can have at most {most} Slack channels.',
  'Delete channels that no automation uses.',
);

const base = '/api/agent/deployments/{deploymentId}/slack';
const path = { deploymentId: asNumber(deployment()) };
const mappingPath = { ...path, mappingId: id('SlackChannelMapping') };
const facts = { maturity: 'experimental', credential: 'user' } as const;
const read = { ...facts, allow: 'automation:read' } as const;
const manage = { ...facts, allow: 'credential:manage' } as const;
const calling = { ...manage, transaction: 'manual', limitPolicy: 'check' } as const;

export const SlackId = z
  .string()
  .regex(/^[A-Z0-9]{1,32}$/, { error: 'expected the id of a channel, such as C024BE91L' });

export const getSlackChannelMappings = operation({
  ...read,
  route: `GET ${base}/channel_mappings`,
  summary: 'List Slack channels of automations',
  description: 'The channels that actions of type ACTION_TYPE_SLACK_APP can name by `channel_id` or `channel_name`.',
  path,
  reply: { channel_mappings: z.array(SlackChannelMapping) },
});

export const getSlackNotificationMappings = operation({
  ...facts,
  allow: 'credential:read',
  route: `GET ${base}/channels`,
  summary: 'List what Slack channels are told about',
  description:
    'Derived from the automations that send to each channel: `policies` are their slugs. Empty `products` and ' +
    '`projects` mean all of them. Only administrators see it, because it names projects.',
  path,
  reply: { notification_mappings: z.array(SlackNotificationMapping) },
});

export const installSlackApp = operation({
  ...facts,
  allow: 'credential:read',
  route: `GET ${base}/install`,
  summary: 'Start installing the Slack app',
  description:
    'Open `redirect_url` in a browser. Slack asks for permission and returns to the `redirect_url` of the app with ' +
    '`code` and `state`, which end the installation within 15 minutes and in the same session.',
  path,
  reply: { redirect_url: z.string() },
  faults: [SLACK_APP_MISSING],
});

export const deleteSlackInstallation = operation({
  ...calling,
  route: `DELETE ${base}/installations`,
  summary: 'Delete the Slack installation',
  description:
    'Revokes the token at Slack and deletes the channels. Automations that send to them are paused, and named in the ' +
    'reply; what waits is cancelled. If Slack cannot be reached, the token is deleted here and the app should be ' +
    'removed in Slack too.',
  path,
  reply: {
    deployment_id: plain.id('Deployment'),
    client_id: z.string(),
    app_id: z.string(),
    team_name: z.string(),
    is_token_revoked: z.boolean(),
    paused_automations: z.array(z.object({ id: id('Automation'), name: z.string() })),
  },
  faults: [NOT_FOUND],
});

export const getSlackInstallation = operation({
  ...read,
  route: `GET ${base}/installations`,
  summary: 'Get the Slack installation',
  description:
    '`app_id` is empty as long as nothing is installed. `update_available` tells that the app needs more scopes than ' +
    'were granted, `archived` that Slack does not accept the token any more: install the app again.',
  path,
  reply: {
    deployment_id: plain.id('Deployment'),
    client_id: z.string(),
    app_id: z.string(),
    enterprise_name: z.string(),
    enterprise_url: z.string(),
    team_name: z.string(),
    update_available: z.boolean(),
    archived: z.boolean(),
  },
});

export const handleSlackCallback = operation({
  ...calling,
  route: `POST ${base}/oauth/callback`,
  summary: 'Finish installing the Slack app',
  description: 'Exchanges `code` for a token, which is stored sealed and never shown. A `state` is accepted once.',
  path,
  body: {
    deploymentId: asNumber(id('Deployment')).optional(),
    state: z.string().min(1).max(2048),
    code: z.string().min(1).max(512),
  },
  reply: {
    deployment_id: plain.id('Deployment'),
    app_id: z.string(),
    enterprise_id: z.string(),
    enterprise_name: z.string(),
    enterprise_url: z.string(),
    team_id: z.string(),
    team_name: z.string(),
  },
  faults: [SLACK_APP_MISSING, SLACK_STATE_REFUSED, SLACK_INSTALLED, SLACK_UNAVAILABLE],
});

export const getSlackApp = operation({
  ...facts,
  allow: 'credential:read',
  isExtension: true,
  route: `GET ${base}/app`,
  summary: 'Get the Slack app',
  description:
    'Each deployment has an app of its own: create it from `manifest` at https://api.slack.com/apps. The client ' +
    'secret is never shown.',
  path,
  reply: { app: SlackApp },
});

export const setSlackApp = operation({
  ...manage,
  isExtension: true,
  route: `PUT ${base}/app`,
  summary: 'Set the Slack app',
  description: 'Client id and client secret are on the page "Basic Information" of the app.',
  path,
  body: {
    deploymentId: asNumber(id('Deployment')).optional(),
    client_id: z.string().regex(/^[\w.-]{1,100}$/, { error: 'expected a client id, such as 1234567890.1234567890' }),
    client_secret: z.string().regex(/^[!-~]{1,200}$/, { error: 'expected a client secret' }),
  },
  reply: { app: SlackApp },
  faults: [SLACK_INSTALLED],
});

export const listSlackConversations = operation({
  ...calling,
  allow: 'credential:read',
  isExtension: true,
  route: `GET ${base}/conversations`,
  summary: 'List channels of the workspace',
  description:
    'Asks Slack. Private channels are shown if somebody has invited the app. `after` is empty after the last page.',
  path,
  query: {
    after: z.string().max(512).default(''),
    count: z.int().min(1).max(MAX_CONVERSATIONS).default(MAX_CONVERSATIONS),
  },
  reply: { channels: z.array(SlackConversation), after: z.string() },
  faults: [SLACK_NOT_INSTALLED, SLACK_UNAVAILABLE],
});

export const createSlackChannelMapping = operation({
  ...calling,
  isExtension: true,
  route: `POST ${base}/channel_mappings`,
  summary: 'Add a Slack channel for automations',
  description: 'Slack is asked for its name. A channel that exists here already is renamed.',
  path,
  body: { channel_id: SlackId },
  reply: { channel_mapping: SlackChannelMapping },
  faults: [SLACK_NOT_INSTALLED, SLACK_UNAVAILABLE, SLACK_CHANNEL_QUOTA],
});

export const deleteSlackChannelMapping = operation({
  ...manage,
  isExtension: true,
  route: `DELETE ${base}/channel_mappings/{mappingId}`,
  summary: 'Remove a Slack channel',
  description: 'Automations that send to it are paused, and named in the reply. What waits for it is cancelled.',
  path: mappingPath,
  reply: { paused_automations: z.array(z.object({ id: id('Automation'), name: z.string() })) },
});

export const testSlackChannelMapping = operation({
  ...calling,
  isExtension: true,
  route: `POST ${base}/channel_mappings/{mappingId}/test`,
  summary: 'Send a test message to a Slack channel',
  description:
    'On the way that real messages take, and listed among the deliveries. A channel that was disabled after failures ' +
    'is active again if the test succeeds. `error_detail` says what went wrong.',
  path: mappingPath,
  body: {},
  reply: { success: z.boolean(), error_detail: z.string() },
  faults: [SLACK_NOT_INSTALLED],
});
