import { z } from 'zod';
import { Notification } from '#domain/notifications/shape.ts';
import { fault } from '#kernel/contract/fault.ts';
import { operation } from '#kernel/contract/operation.ts';
import { cursor, deployment, id, limit } from '#kernel/contract/proto-fields.ts';

export const MAX_NOTIFICATION_IDS = 1000;

export const NOTIFICATION_UNKNOWN = fault(
  'NOTIFICATION_UNKNOWN',
  400,
  'Of the notifications, {count} not known to you: {first}',
  'Send only ids that your own list shows; nothing was changed.',
);

const base = '/api/notifications/in-app/deployments/{deploymentId}';
const path = { deploymentId: deployment() };

export const getNotifications = operation({
  route: `GET ${base}`,
  summary: 'List your in-app notifications',
  description: 'Newest first, for 90 days: notifications for everybody, for your role, and for you alone.',
  maturity: 'experimental',
  allow: 'notification:read',
  path,
  query: { cursor: cursor(), limit: limit() },
  reply: { notifications: z.array(Notification), cursor: cursor() },
});

export const markNotificationsAsSeen = operation({
  route: `PUT ${base}/mark_as_seen`,
  summary: 'Mark notifications as seen',
  description: 'Only for you: others still see them as new. Either all of the ids are marked, or none.',
  maturity: 'experimental',
  allow: 'notification:update',
  path,
  body: {
    deploymentId: id('Deployment').optional(),
    notificationIds: z.array(id('Notification')).max(MAX_NOTIFICATION_IDS),
  },
  reply: { notifications: z.array(Notification) },
  faults: [NOTIFICATION_UNKNOWN],
});
