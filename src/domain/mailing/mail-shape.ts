import { z } from 'zod';
import { oneOf, timestamp } from '#kernel/contract/proto-fields.ts';

export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** How often a part of the digest is mailed. `now` means within minutes of the news. */
export const MailRhythm = oneOf(['now', 'daily', 'weekly', 'never']);
export type MailRhythm = z.output<typeof MailRhythm>;

/** What a member gets by mail. */
export const MailPreferences = z.object({
  /** New findings of the projects that the member sees. */
  findings: MailRhythm,
  /** Requests for exceptions that wait for a decision; only for members who may decide. */
  approvals: MailRhythm,
  /** Warnings and errors of the list of notifications, such as an integration that fails. */
  notices: MailRhythm,
  /** At once, when a scan finds a secret that works. */
  validSecrets: z.boolean(),
  /** At once, when a supply-chain incident is declared. */
  incidents: z.boolean(),
  /** What automations and notification rules send to the address. */
  automations: z.boolean(),
  timeZone: z.string(),
  /** Of daily and weekly digests, in the time zone. */
  hour: z.int(),
  /** Of weekly digests: 1 for Monday to 7 for Sunday. */
  weekday: z.int(),
  email: z.string(),
  /** False if the operator has set no mail server. */
  isMailOn: z.boolean(),
  /** True if the mail server refused the address repeatedly: nothing is sent until `isSuspended` is set to false. */
  isSuspended: z.boolean(),
  suspendedReason: z.string(),
  nextDigestAt: timestamp().optional(),
});
export type MailPreferences = z.output<typeof MailPreferences>;

/** What the examples of the API description show. */
export const exampleIds = { UnsubscribeToken: 'AQfvK2m' };
