import type { notificationSettings } from '#web/foundation/api/services.ts';

export type MailSettings = Awaited<ReturnType<typeof notificationSettings.getMailSettings>>['settings'];
export type MailRhythm = MailSettings['findings'];

/** The settings that the page changes. */
export type MailEdits = Partial<
  Pick<
    MailSettings,
    'findings' | 'approvals' | 'notices' | 'validSecrets' | 'automations' | 'timeZone' | 'hour' | 'weekday'
  >
>;

/** The edits that differ from what is stored. */
export const changedMailSettings = (stored: MailSettings, edits: MailEdits): MailEdits =>
  Object.fromEntries(Object.entries(edits).filter(([name, value]) => stored[name as keyof MailSettings] !== value));

/** Which parts of the time of digests matter. */
export function digestTimes({
  findings,
  approvals,
  notices,
}: Pick<MailSettings, 'findings' | 'approvals' | 'notices'>) {
  const rhythms = [findings, approvals, notices];
  const isWeekly = rhythms.includes('weekly');
  return { hasHour: isWeekly || rhythms.includes('daily'), hasWeekday: isWeekly };
}
