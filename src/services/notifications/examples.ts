import type { Examples } from '#kernel/contract/example.ts';
import type * as contract from './contract.ts';

export const examples: Examples<typeof contract> = {
  getNotifications: (of) => ({ path: { deploymentId: of('Deployment') }, query: { limit: '100', cursor: '' } }),
  markNotificationsAsSeen: (of) => ({
    path: { deploymentId: of('Deployment') },
    body: { notificationIds: [of('Notification')] },
  }),
};
