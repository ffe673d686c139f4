import { z } from 'zod';
import { id, oneOf, timestamp } from '#kernel/contract/proto-fields.ts';

/** An in-app notification as a caller sees it. */
export const Notification = z.object({
  id: id('Notification'),
  title: z.string(),
  description: z.string(),
  severity: oneOf(['SEVERITY_INFO', 'SEVERITY_WARNING', 'SEVERITY_ERROR']),
  status: oneOf(['STATUS_DELIVERED', 'STATUS_SEEN', 'STATUS_ARCHIVED']),
  adminOnly: z.boolean(),
  createdAt: timestamp(),
  link: z.string(),
  isExternalLink: z.boolean(),
  linkText: z.string(),
});
export type Notification = z.output<typeof Notification>;

/** What the examples of the API description show. */
export const exampleIds = { Notification: '21' };
