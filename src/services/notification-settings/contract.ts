import { z } from 'zod';
import { isTimeZone, MailPreferences, MailRhythm } from '#domain/mailing/mail-shape.ts';
import { NOT_FOUND } from '#kernel/contract/common-faults.ts';
import { operation } from '#kernel/contract/operation.ts';
import { deployment } from '#kernel/contract/proto-fields.ts';

const base = '/api/notifications/deployments/{deploymentId}/mail_settings';
const path = { deploymentId: deployment() };
const facts = { maturity: 'experimental', isExtension: true } as const;
const link = {
  ...facts,
  allow: 'public',
  path: { token: z.string().min(1).max(2048) },
  reply: {},
  raw: { types: ['text/html'] },
  faults: [NOT_FOUND],
} as const;

export const getMailSettings = operation({
  ...facts,
  credential: 'user',
  route: `GET ${base}`,
  summary: 'Get what you get by mail',
  description:
    'A digest has new findings of the projects that you see, requests that wait for your decision, and warnings. It ' +
    'is sent only if there is news.',
  allow: 'notification:read',
  path,
  reply: { settings: MailPreferences },
  isVersioned: true,
});

export const updateMailSettings = operation({
  ...facts,
  credential: 'user',
  isStrict: true,
  route: `PATCH ${base}`,
  summary: 'Change what you get by mail',
  description:
    'Absent members stay as they are. `isSuspended` can only be set to false, after the mailbox accepts mail again. ' +
    '`incidents` is stored and has no effect yet, because nothing declares incidents.',
  allow: 'notification:update',
  path,
  body: {
    findings: MailRhythm.optional(),
    approvals: MailRhythm.optional(),
    notices: MailRhythm.optional(),
    validSecrets: z.boolean().optional(),
    incidents: z.boolean().optional(),
    automations: z.boolean().optional(),
    timeZone: z
      .string()
      .max(64)
      .refine(isTimeZone, { error: 'expected a time zone, such as Europe/Berlin' })
      .optional(),
    hour: z.int().min(0).max(23).optional(),
    weekday: z.int().min(1).max(7).optional(),
    isSuspended: z.literal(false).optional(),
  },
  reply: { settings: MailPreferences },
  isVersioned: true,
});

export const showUnsubscribe = operation({
  ...link,
  route: 'GET /api/notifications/unsubscribe/{token}',
  summary: 'Show the page that ends mails',
  description: 'Changes nothing, because programs follow links of mails. The token is part of the mail.',
});

export const unsubscribe = operation({
  ...link,
  route: 'POST /api/notifications/unsubscribe/{token}',
  summary: 'End mails of this kind',
  description: 'One click, as mail programs send it (RFC 8058); the body is ignored.',
});
