import { z } from 'zod';
import { emailKey } from '#domain/accounts/store.ts';
import { count } from '#kernel/contract/proto-fields.ts';
import { sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { nextDigest } from './mail-rules.ts';
import { MailPreferences } from './mail-shape.ts';

export interface ReaderRef {
  deployment: string;
  account: string;
}

/** The parts of a digest. */
export const DIGEST_PARTS = ['findings', 'approvals', 'notices'] as const;
export type DigestPart = (typeof DIGEST_PARTS)[number];

export const StoredMailSettings = MailPreferences.omit({ isMailOn: true }).extend({
  told: z.record(z.string(), z.string()),
  version: count(),
});
export type StoredMailSettings = z.output<typeof StoredMailSettings>;

const columns = sql`setting.findings, setting.approvals, setting.notices, setting.has_valid_secrets as "validSecrets",
  setting.has_incidents as incidents, setting.has_automations as automations, setting.time_zone as "timeZone",
  setting.hour, setting.weekday, account.email,
  setting.told, setting.version, address.suspended_at is not null as "isSuspended",
  coalesce(address.reason, '') as "suspendedReason", setting.next_at as "nextDigestAt"`;

/** The settings of a member; undefined if the account is no member, or cannot sign in any more. */
export const findMailSettings = (tx: Tx, { deployment, account }: ReaderRef): Promise<StoredMailSettings | undefined> =>
  tx.one(StoredMailSettings)`
    select ${columns} from mail_setting as setting
    join account on account.id = setting.account_id and account.disabled_at is null and account.deleted_at is null
    left join mail_address as address on address.deployment_id = setting.deployment_id
      and address.address_key = account.email_key
    where setting.deployment_id = ${deployment} and setting.account_id = ${account}`;

export type MailChange = Pick<
  MailPreferences,
  'findings' | 'approvals' | 'notices' | 'validSecrets' | 'incidents' | 'automations' | 'timeZone' | 'hour' | 'weekday'
>;

/** What of the settings people change. */
export const changeableOf = (settings: StoredMailSettings): MailChange => ({
  findings: settings.findings,
  approvals: settings.approvals,
  notices: settings.notices,
  validSecrets: settings.validSecrets,
  incidents: settings.incidents,
  automations: settings.automations,
  timeZone: settings.timeZone,
  hour: settings.hour,
  weekday: settings.weekday,
});

const nextFor = (change: MailChange, now: Date): Date | undefined =>
  nextDigest(
    DIGEST_PARTS.map((part) => change[part]),
    now,
    change,
  );

export async function saveMailSettings(
  tx: Tx,
  { deployment, account }: ReaderRef,
  change: MailChange,
  now: Date,
): Promise<void> {
  await tx.run`
    update mail_setting set findings = ${change.findings}, approvals = ${change.approvals},
      notices = ${change.notices}, has_valid_secrets = ${change.validSecrets}, has_incidents = ${change.incidents},
      has_automations = ${change.automations}, time_zone = ${change.timeZone},
      hour = ${change.hour}, weekday = ${change.weekday},
      next_at = ${nextFor(change, now) ?? null}, version = version + 1
    where deployment_id = ${deployment} and account_id = ${account}`;
}

/** Records that parts of the digest were told up to a moment, and when the next digest is due. */
export async function recordTold(
  tx: Tx,
  { deployment, account }: ReaderRef,
  { settings, parts, now }: { settings: MailChange; parts: readonly DigestPart[]; now: Date },
): Promise<void> {
  const told = JSON.stringify(Object.fromEntries(parts.map((part) => [part, now.toISOString()])));
  await tx.run`
    update mail_setting set told = told || ${told}::jsonb, next_at = ${nextFor(settings, now) ?? null}
    where deployment_id = ${deployment} and account_id = ${account}`;
}

/** Sends mail to an address again. */
export const resumeAddress = (tx: Tx, deployment: string, address: string): Promise<number> =>
  tx.run`
    delete from mail_address where deployment_id = ${deployment} and address_key = ${emailKey(address)}`;
