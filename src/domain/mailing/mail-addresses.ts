import { z } from 'zod';
import { emailKey } from '#domain/accounts/store.ts';
import { notify } from '#domain/notifications/store.ts';
import type { Tx } from '#kernel/db/tx.ts';

/** So many refusals within a week suspend an address. */
const MAX_REFUSALS = 3;

const Suspended = z.object({ is_new: z.boolean(), account: z.string().optional() });

/** Records that the mail server refuses an address. The third time within seven days suspends it. */
export async function recordRefusedAddress(
  tx: Tx,
  { deployment, address, reason, at }: { deployment: string; address: string; reason: string; at: Date },
): Promise<void> {
  const key = emailKey(address);
  const row = await tx.one(Suspended)`
    with counted as (
      insert into mail_address as known (deployment_id, address_key, refusals, first_refused_at, reason)
      values (${deployment}, ${key}, 1, ${at}, ${reason})
      on conflict (deployment_id, address_key) do update set reason = excluded.reason,
        refusals = case when known.first_refused_at > ${at}::timestamptz - interval '7 days'
          then known.refusals + 1 else 1 end,
        first_refused_at = case when known.first_refused_at > ${at}::timestamptz - interval '7 days'
          then known.first_refused_at else ${at}::timestamptz end
      returning refusals)
    select refusals = ${MAX_REFUSALS}::int as is_new, (
      select account.id::text from account join membership on membership.account_id = account.id
        and membership.deployment_id = ${deployment} where account.email_key = ${key} limit 1) as account
    from counted`;
  if (!row?.is_new) return;
  await tx.run`
    update mail_address set suspended_at = ${at}
    where deployment_id = ${deployment} and address_key = ${key} and suspended_at is null`;
  await notify(tx, {
    deployment,
    ...(row.account === undefined ? { isAdminOnly: true } : { account: row.account }),
    severity: 'SEVERITY_WARNING',
    title: `No more mail is sent to ${address}`.slice(0, 200),
    description: `The mail server refused the address three times within a week. ${reason}`.slice(0, 1000),
  });
}

const Count = z.object({ count: z.coerce.number() });

export async function isSuspended(tx: Tx, deployment: string, address: string): Promise<boolean> {
  const row = await tx.one(Count)`
    select count(*) as count from mail_address
    where deployment_id = ${deployment} and address_key = ${emailKey(address)} and suspended_at is not null`;
  return (row?.count ?? 0) > 0;
}
