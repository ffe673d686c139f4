import { z } from 'zod';
import { NotificationChannel, NotificationRule } from '#domain/automations/notification-rules/rule-shape.ts';
import { fault } from '#kernel/contract/fault.ts';
import { operation } from '#kernel/contract/operation.ts';
import * as plain from '#kernel/contract/plain-fields.ts';
import { asNumber, deployment, id, line, name, readOnly } from '#kernel/contract/proto-fields.ts';

export const MAX_NOTIFICATION_RULES = 100;
const MAX_POLICIES = 200;
const MAX_LIST = 1000;

export const NOTIFICATION_RULE_QUOTA = fault(
  'NOTIFICATION_RULE_QUOTA',
  409,
  'A deployment can have at most {most} notification rules.',
  'Delete rules that are no longer needed.',
);
export const NOTIFICATION_RULE_REFUSED = fault(
  'NOTIFICATION_RULE_REFUSED',
  400,
  'The notification rule cannot run; it has {count}: {first}',
  'Correct each member listed in `errors`; nothing was changed.',
);

/** A rule as a request gives it. */
export const NotificationRuleDraft = z.object({
  id: readOnly(plain.id('NotificationRule')),
  channel: NotificationChannel,
  config: z.record(z.string().max(64), line(2048)),
  is_enabled: z.boolean().optional(),
  name: name(),
  policy_slugs: z.array(line(128, 1)).max(MAX_POLICIES).optional(),
  use_network_broker: z.boolean().optional(),
  config_error: readOnly(z.string().max(2048)),
  send_scan_completion: z.boolean().optional(),
});
export type NotificationRuleDraft = z.output<typeof NotificationRuleDraft>;

const base = '/api/agent/deployments/{deploymentId}/actions';
const path = { deploymentId: asNumber(deployment()) };
const rulePath = { ...path, notificationRuleId: plain.id('NotificationRule') };
const common = { maturity: 'experimental' } as const;
const deploymentMember = { deploymentId: asNumber(id('Deployment')).optional() };
const ruleMember = { notificationRuleId: plain.id('NotificationRule').optional() };

export const createNotificationRule = operation({
  ...common,
  isStrict: true,
  route: `POST ${base}`,
  summary: 'Create a notification rule',
  description:
    'The older form of an automation: new findings of the policies, or of all policies, are sent to one channel. The ' +
    'config of CHANNEL_EMAIL has `email`; CHANNEL_WEBHOOK `url` and optionally `secret`, which is never shown; ' +
    'CHANNEL_SLACK_WEBHOOK `url`; CHANNEL_S3 `bucket`, `credential_slug` and optionally `prefix`. With ' +
    '`send_scan_completion`, the default, a webhook gets an event for every scan too.',
  allow: 'automation:manage',
  path,
  body: { ...deploymentMember, notificationRule: NotificationRuleDraft },
  reply: { notification_rule: NotificationRule },
  faults: [NOTIFICATION_RULE_REFUSED, NOTIFICATION_RULE_QUOTA],
});

export const listNotificationRules = operation({
  ...common,
  route: `POST ${base}/list`,
  summary: 'List notification rules',
  description:
    'In order of creation. `cursor.token` is the id of the last rule that was received. Only administrators see ' +
    'rules, because their configs contain addresses.',
  allow: 'credential:read',
  path,
  body: {
    ...deploymentMember,
    options: z
      .object({
        optionalLimit: z.int().min(1).max(MAX_LIST).optional(),
        cursor: z.object({ token: z.string().max(64).optional() }).optional(),
      })
      .optional(),
    filters: z.object({ channel: NotificationChannel.optional() }).optional(),
  },
  reply: { notification_rules: z.array(NotificationRule) },
});

export const deleteNotificationRule = operation({
  ...common,
  route: `DELETE ${base}/{notificationRuleId}`,
  summary: 'Delete a notification rule',
  description: 'What waits to be sent is cancelled.',
  allow: 'automation:manage',
  path: rulePath,
  reply: { notification_rule: NotificationRule },
});

export const replaceNotificationRule = operation({
  ...common,
  isStrict: true,
  route: `PUT ${base}/{notificationRuleId}`,
  summary: 'Replace a notification rule',
  description: 'A stored secret is kept while the URL stays the same; a new URL without a secret removes it.',
  allow: 'automation:manage',
  path: rulePath,
  body: { ...deploymentMember, ...ruleMember, notificationRule: NotificationRuleDraft },
  reply: { notification_rule: NotificationRule },
  faults: [NOTIFICATION_RULE_REFUSED],
});

export const testNotificationRule = operation({
  ...common,
  route: `POST ${base}/{notificationRuleId}/test`,
  summary: 'Test a notification rule',
  description:
    'Sends a test event on the way that real ones take. `errorDetail` says what went wrong. The answer comes after ' +
    '1, 3 or 10 seconds, or later.',
  allow: 'credential:manage',
  path: rulePath,
  body: { ...deploymentMember, ...ruleMember },
  reply: { success: z.boolean(), errorDetail: z.string() },
  transaction: 'manual',
  limitPolicy: 'check',
});
