import { z } from 'zod';
import { permissionsOf, seesEverything } from '#domain/access/roles.ts';
import { emailKey } from '#domain/accounts/store.ts';
import { pumpDestination } from '#domain/automations/deliveries/delivery-store.ts';
import type { DeliverySubject } from '#domain/automations/deliveries/destination-adapter.ts';
import { anonymousCaller, type Caller } from '#kernel/auth/caller.ts';
import { sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { enqueueAll } from '#kernel/jobs/job.ts';

export const MAIL_DESTINATION = 'mail';

const MailReader = z.object({
  account: z.string(),
  email: z.string(),
  role: z.string(),
  has_valid_secrets: z.boolean(),
  has_incidents: z.boolean(),
  has_automations: z.boolean(),
});
/** A member who can get mail. */
export type MailReader = z.output<typeof MailReader>;

const readers = sql`
  select membership.account_id::text as account, account.email, membership.role, setting.has_valid_secrets,
    setting.has_incidents, setting.has_automations
  from membership
  join account on account.id = membership.account_id and account.disabled_at is null and account.deleted_at is null
  join mail_setting as setting on setting.deployment_id = membership.deployment_id
    and setting.account_id = membership.account_id`;

/** All members who can get mail. */
export const listReaders = (tx: Tx, deployment: string): Promise<MailReader[]> =>
  tx.all(MailReader)`${readers} where membership.deployment_id = ${deployment} order by membership.account_id`;

export const findReader = (tx: Tx, deployment: string, account: string): Promise<MailReader | undefined> =>
  tx.one(MailReader)`${readers} where membership.deployment_id = ${deployment} and membership.account_id = ${account}`;

/** The caller that a reader would be, for what they may see now. */
export const callerOf = (deployment: string, { account, email, role }: MailReader): Caller => ({
  ...anonymousCaller,
  ...{ kind: 'user', userId: account, email, deployment, role },
  permissions: permissionsOf(role),
  seesEverything: seesEverything(role),
});

/** What the key of a destination names: a member, or an address of a proved domain. */
export type MailboxOwner = { account: string } | { address: string };

export const ownerOf = (key: string): MailboxOwner =>
  key.startsWith('account:') ? { account: key.slice('account:'.length) } : { address: key.slice('address:'.length) };

const Mailbox = z.object({ id: z.string(), key: z.string() });

/** The mailboxes of these keys, which are created where they are missing. One statement for all. */
export async function openMailboxes(
  tx: Tx,
  deployment: string,
  wanted: readonly { key: string; name: string }[],
): Promise<Map<string, string>> {
  const keys = wanted.map(({ key }) => key);
  await tx.run`
    insert into destination (deployment_id, kind, key, name)
    select ${deployment}, ${MAIL_DESTINATION}, key, name
    from unnest(${keys}::text[], ${wanted.map(({ name }) => name)}::text[]) as wanted (key, name)
    on conflict (deployment_id, kind, key) do update set name = excluded.name`;
  const rows = await tx.all(Mailbox)`
    select id, key from destination
    where deployment_id = ${deployment} and kind = ${MAIL_DESTINATION} and key = any(${keys}::text[])`;
  return new Map(rows.map(({ id, key }) => [key, id]));
}

export const accountKey = (account: string): string => `account:${account}`;
export const addressKey = (address: string): string => `address:${emailKey(address)}`;

/** Sends the same news to many readers with a constant number of statements. */
export async function mailReaders(
  tx: Tx,
  { deployment, kind, subject, findings, at }: ReaderNews,
  told: readonly MailReader[],
): Promise<number> {
  if (told.length === 0) return 0;
  const wanted = told.map(({ account, email }) => ({ key: accountKey(account), name: email }));
  const destinations = [...(await openMailboxes(tx, deployment, wanted)).values()];
  await tx.run`
    insert into delivery (deployment_id, destination_id, kind, subject, findings, state, next_at, created_at)
    select ${deployment}, destination, ${kind}, ${JSON.stringify(subject)}::jsonb, ${findings}::bigint[], 'waiting',
      ${at}, ${at}
    from unnest(${destinations}::bigint[]) as destination`;
  await enqueueAll(
    tx,
    pumpDestination,
    destinations.map((destination) => ({ deployment, payload: { destination }, uniqueKey: destination })),
  );
  return destinations.length;
}

export interface ReaderNews {
  deployment: string;
  kind: string;
  subject: DeliverySubject;
  findings: readonly string[];
  at: Date;
}
