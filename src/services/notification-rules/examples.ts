import type { Examples } from '#kernel/contract/example.ts';
import type * as contract from './contract.ts';

const notificationRule = {
  name: 'Tell the security team',
  channel: 'CHANNEL_WEBHOOK' as const,
  config: { url: 'https://hooks.example.com/findings', secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
  is_enabled: true,
  policy_slugs: ['global-policy'],
};

export const examples: Examples<typeof contract> = {
  createNotificationRule: (of) => ({ path: { deploymentId: of('Deployment') }, body: { notificationRule } }),
  listNotificationRules: (of) => ({ path: { deploymentId: of('Deployment') }, body: {} }),
  deleteNotificationRule: (of) => ({
    path: { deploymentId: of('Deployment'), notificationRuleId: Number(of('NotificationRule')) },
  }),
  replaceNotificationRule: (of) => ({
    path: { deploymentId: of('Deployment'), notificationRuleId: Number(of('NotificationRule')) },
    body: { notificationRule },
  }),
  testNotificationRule: (of) => ({
    path: { deploymentId: of('Deployment'), notificationRuleId: Number(of('NotificationRule')) },
    body: {},
  }),
};
