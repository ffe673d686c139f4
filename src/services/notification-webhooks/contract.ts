import { z } from 'zod';
import { NotificationWebhook } from '#domain/automations/webhooks/webhook-shape.ts';
import { fault } from '#kernel/contract/fault.ts';
import { operation } from '#kernel/contract/operation.ts';
import { deployment, id, name } from '#kernel/contract/proto-fields.ts';
import { webUrl } from '#kernel/contract/web-url.ts';

export const MAX_NOTIFICATION_WEBHOOKS = 100;
const MIN_SECRET_LENGTH = 15;
const MAX_OVERLAP_HOURS = 24 * 7;

export const WEBHOOK_QUOTA = fault(
  'WEBHOOK_QUOTA',
  409,
  'A deployment can have at most {most} webhooks.',
  'Delete webhooks that are no longer needed.',
);
export const WEBHOOK_URL_REFUSED = fault(
  'WEBHOOK_URL_REFUSED',
  400,
  'This server does not call the URL of the webhook.',
  'Use https on port 443 or 8443; the operator can allow other targets.',
);
export const WEBHOOK_WITHOUT_SECRET = fault(
  'WEBHOOK_WITHOUT_SECRET',
  409,
  'The webhook has no secret that could be replaced.',
  'Set one by updating the webhook with `webhookSecret`.',
);

/** Signs the bodies. `whsec_` and base64, or any text. */
export const WebhookSecret = z.string().min(MIN_SECRET_LENGTH).max(512);

const base = '/api/notification_webhooks/deployments/{deploymentId}/webhooks';
const path = { deploymentId: deployment() };
const webhookPath = { ...path, webhookId: id('NotificationWebhook') };
const common = { maturity: 'experimental', credential: 'user' } as const;

const settings = {
  useNetworkBroker: z.boolean().optional(),
  sendScanCompletion: z.boolean().optional(),
};

export const listNotificationWebhooks = operation({
  ...common,
  route: `GET ${base}`,
  summary: 'List notification webhooks',
  description: 'Secrets are never shown.',
  allow: 'credential:read',
  path,
  reply: { webhooks: z.array(NotificationWebhook) },
});

export const createNotificationWebhook = operation({
  ...common,
  route: `POST ${base}`,
  summary: 'Create a notification webhook',
  description:
    'Automations with an action of type ACTION_TYPE_WEBHOOK send findings to it. With `webhookSecret`, each request ' +
    'has the headers of Standard Webhooks (`webhook-id`, `webhook-timestamp`, `webhook-signature`) and ' +
    '`X-Semgrep-Signature-256`, the hex HMAC-SHA-256 of the body. With `sendScanCompletion` it also gets an event ' +
    'for every scan. `useNetworkBroker` is stored and has no effect.',
  allow: 'credential:manage',
  path,
  body: {
    deploymentId: id('Deployment').optional(),
    name: name(),
    url: webUrl(),
    ...settings,
    webhookSecret: WebhookSecret.optional(),
  },
  reply: { webhook: NotificationWebhook },
  faults: [WEBHOOK_QUOTA, WEBHOOK_URL_REFUSED],
});

export const deleteNotificationWebhook = operation({
  ...common,
  route: `DELETE ${base}/{webhookId}`,
  summary: 'Delete a notification webhook',
  description:
    'Automations that send to it are paused, and what waits for it is cancelled. The log of deliveries stays.',
  allow: 'credential:manage',
  status: 204,
  path: webhookPath,
  reply: {},
});

export const getNotificationWebhook = operation({
  ...common,
  route: `GET ${base}/{webhookId}`,
  summary: 'Get a notification webhook',
  description: 'The secret is never shown.',
  allow: 'credential:read',
  path: webhookPath,
  reply: { webhook: NotificationWebhook },
  isVersioned: true,
});

export const updateNotificationWebhook = operation({
  ...common,
  route: `PUT ${base}/{webhookId}`,
  summary: 'Update a notification webhook',
  description:
    'Absent members stay as they are. A new `url` without `webhookSecret` removes the stored secret, which was given ' +
    'for another receiver. A webhook that was disabled after failures is active again, and what waits is sent.',
  allow: 'credential:manage',
  path: webhookPath,
  body: {
    deploymentId: id('Deployment').optional(),
    webhookId: id('NotificationWebhook').optional(),
    name: name().optional(),
    url: webUrl().optional(),
    ...settings,
    removeSecret: z.boolean().optional(),
    webhookSecret: WebhookSecret.optional(),
  },
  reply: { webhook: NotificationWebhook },
  faults: [WEBHOOK_URL_REFUSED],
  isVersioned: true,
});

export const testNotificationWebhook = operation({
  ...common,
  route: `POST ${base}/{webhookId}/test`,
  summary: 'Test a notification webhook',
  description:
    'Sends a test event on the way that real events take: signed, with the same checks and timeouts, and listed ' +
    'among the deliveries. `errorDetail` says what went wrong. The answer comes after 1, 3 or 10 seconds, or later.',
  allow: 'credential:manage',
  path: webhookPath,
  body: { deploymentId: id('Deployment').optional(), webhookId: id('NotificationWebhook').optional() },
  reply: { success: z.boolean(), errorDetail: z.string() },
  transaction: 'manual',
  limitPolicy: 'check',
});

export const rotateWebhookSecret = operation({
  ...common,
  route: `POST ${base}/{webhookId}:rotateSecret`,
  summary: 'Replace the secret of a webhook with an overlap',
  description:
    'During the overlap, `webhook-signature` has a signature of each secret. `X-Semgrep-Signature-256` has room for ' +
    'one, that of the old secret, until the overlap ends. An overlap of 0 hours ends a running rotation.',
  allow: 'credential:manage',
  isExtension: true,
  path: webhookPath,
  body: {
    webhookSecret: WebhookSecret.optional(),
    overlapHours: z.int().min(0).max(MAX_OVERLAP_HOURS).default(24),
  },
  reply: { webhook: NotificationWebhook },
  faults: [WEBHOOK_WITHOUT_SECRET],
});

/** What the examples of the API description show. */
export const exampleIds = { NotificationWebhook: '9' };
