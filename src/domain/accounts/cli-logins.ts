import { createHmac, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import { RowCount } from '#kernel/db/query/row-schemas.ts';
import type { Tx } from '#kernel/db/tx.ts';

/** The hash under which the key of a command line is stored; the key is its only secret. */
export const hashLoginKey = (hashKey: KeyObject, key: string): string =>
  createHmac('sha256', hashKey).update(key.toLowerCase()).digest('base64url');

export interface CliLoginApproval {
  deployment: string;
  hash: string;
  account: string;
  now: Date;
  expiresAt: Date;
}

/** Stores an approval, replacing an earlier one of the same key, and deletes expired approvals. */
export async function saveApproval(
  tx: Tx,
  { deployment, hash, account, now, expiresAt }: CliLoginApproval,
): Promise<void> {
  await tx.run`
    delete from cli_login where deployment_id = ${deployment} and (hash = ${hash} or expires_at <= ${now})`;
  await tx.run`
    insert into cli_login (deployment_id, hash, account_id, created_at, expires_at)
    values (${deployment}, ${hash}, ${account}, ${now}, ${expiresAt})`;
}

/** The approvals of one user that no command line has collected. Expired ones were deleted by `saveApproval`. */
export async function countPending(
  tx: Tx,
  { deployment, account }: Pick<CliLoginApproval, 'deployment' | 'account'>,
): Promise<number> {
  const row = await tx.one(RowCount)`
    select count(*) as count from cli_login where deployment_id = ${deployment} and account_id = ${account}`;
  return row?.count ?? 0;
}

/** Deletes the approvals of one user. */
export const removeOf = (tx: Tx, { deployment, account }: { deployment: string; account: string }): Promise<number> =>
  tx.run`delete from cli_login where deployment_id = ${deployment} and account_id = ${account}`;

const ApprovedCliLogin = z.object({
  deployment: z.string(),
  account: z.string(),
  name: z.string(),
  email: z.string(),
  /** In the deployment, now. */
  role: z.string(),
});
export type ApprovedCliLogin = z.output<typeof ApprovedCliLogin>;

/**
 * Deletes the approval and returns it, so that it is used once; undefined if there is none, or if the user who approved
 * is no longer a member.
 */
export const claim = (tx: Tx, hash: string, now: Date): Promise<ApprovedCliLogin | undefined> =>
  tx.one(ApprovedCliLogin)`
    with claimed as (
      delete from cli_login where hash = ${hash} returning deployment_id, account_id, created_at, expires_at)
    select claimed.deployment_id as deployment, account.id as account, account.name, account.email, membership.role
    from claimed
    join account on account.id = claimed.account_id and account.disabled_at is null and account.deleted_at is null
    join membership on membership.deployment_id = claimed.deployment_id and membership.account_id = account.id
    where claimed.expires_at > ${now}
    order by claimed.created_at limit 1`;
