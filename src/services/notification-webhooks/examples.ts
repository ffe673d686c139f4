import type { Examples } from '#kernel/contract/example.ts';
import type * as contract from './contract.ts';

const webhook = {
  name: 'Security events',
  url: 'https://hooks.example.com/security',
  webhookSecret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
};

export const examples: Examples<typeof contract> = {
  listNotificationWebhooks: (of) => ({ path: { deploymentId: of('Deployment') } }),
  createNotificationWebhook: (of) => ({ path: { deploymentId: of('Deployment') }, body: webhook }),
  deleteNotificationWebhook: (of) => ({
    path: { deploymentId: of('Deployment'), webhookId: of('NotificationWebhook') },
  }),
  getNotificationWebhook: (of) => ({ path: { deploymentId: of('Deployment'), webhookId: of('NotificationWebhook') } }),
  updateNotificationWebhook: (of) => ({
    path: { deploymentId: of('Deployment'), webhookId: of('NotificationWebhook') },
    body: webhook,
  }),
  testNotificationWebhook: (of) => ({
    path: { deploymentId: of('Deployment'), webhookId: of('NotificationWebhook') },
    body: {},
  }),
  rotateWebhookSecret: (of) => ({
    path: { deploymentId: of('Deployment'), webhookId: of('NotificationWebhook') },
    body: { webhookSecret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD', overlapHours: 24 },
  }),
};
