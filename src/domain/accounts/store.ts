import { z } from 'zod';
import { nameKey } from '#domain/deployments/rules.ts';
import { lock } from '#domain/deployments/store.ts';
import { timestamp } from '#kernel/contract/proto-fields.ts';
import { RowCount, RowId, returnedId } from '#kernel/db/query/row-schemas.ts';
import { sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { passwordDigest } from './device-cookie.ts';
import { LAST_ADMINISTRATOR } from './shape.ts';

export const Account = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  password_hash: z.string().optional(),
  disabled_at: timestamp().optional(),
  deleted_at: timestamp().optional(),
});
export type Account = z.output<typeof Account>;

const columns = sql`id, email, name, password_hash, disabled_at, deleted_at`;

/** E-mail addresses are compared without case, width and surrounding spaces. */
export const emailKey = nameKey;

/** Locks an address until the end of the transaction, so that only one of several writers creates its account. */
export const lockEmail = (tx: Tx, email: string): Promise<unknown> =>
  tx.run`select pg_advisory_xact_lock(hashtext('parapet account'), hashtext(${emailKey(email)}))`;

export const findByEmail = (tx: Tx, email: string): Promise<Account | undefined> =>
  tx.one(Account)`
    select ${columns} from account where email_key = ${emailKey(email)}`;

export const find = (tx: Tx, id: string): Promise<Account | undefined> =>
  tx.one(Account)`select ${columns} from account where id = ${id}`;

/** True if the account is open and a link was made for its current password. */
export const isPasswordOf = (account: Account, digest: string): boolean =>
  !account.disabled_at && !account.deleted_at && passwordDigest(account.password_hash ?? '') === digest;

/** Replaces the password that the account had when it was read; false if another request was faster. */
export async function replacePassword(tx: Tx, account: Account, passwordHash: string): Promise<boolean> {
  const changed = await tx.run`
    update account set password_hash = ${passwordHash}
    where id = ${account.id} and password_hash is not distinct from ${account.password_hash ?? null}
      and disabled_at is null and deleted_at is null`;
  return changed === 1;
}

export async function hasAccounts(tx: Tx): Promise<boolean> {
  const rows = await tx.rows`select from account limit 1`;
  return rows.length > 0;
}

export async function insert(
  tx: Tx,
  person: { email: string; name: string; passwordHash: string | null },
): Promise<string> {
  const row = await tx.one(RowId)`
    insert into account (email, email_key, name, password_hash)
    values (${person.email}, ${emailKey(person.email)}, ${person.name}, ${person.passwordHash})
    returning id`;
  return returnedId(row);
}

export const addMembership = (
  tx: Tx,
  membership: { deployment: string; account: string; role: string },
): Promise<number> =>
  tx.run`
    insert into membership (deployment_id, account_id, role)
    values (${membership.deployment}, ${membership.account}, ${membership.role})`;

export async function isMember(tx: Tx, member: { deployment: string; account: string }): Promise<boolean> {
  const [row] = await tx.rows`
    select from membership where deployment_id = ${member.deployment} and account_id = ${member.account}`;
  return row !== undefined;
}

const MemberRole = z.object({ role: z.string() });
const FirstMembership = MemberRole.extend({ deployment: z.string() });

const countAdministrators = async (tx: Tx, deployment: string): Promise<number> => {
  const row = await tx.one(RowCount)`
    select count(*) as count from membership where deployment_id = ${deployment} and role = 'ORG_ROLE_ADMIN'`;
  return row?.count ?? 0;
};

/** Returns the role of a member and locks the membership until the end of the transaction. */
export async function lockMemberRole(
  tx: Tx,
  member: { deployment: string; account: string },
): Promise<string | undefined> {
  await lock(tx, member.deployment);
  const row = await tx.one(MemberRole)`
    select role from membership
    where deployment_id = ${member.deployment} and account_id = ${member.account} for no key update`;
  return row?.role;
}

/** Changes a member's role. The lock keeps an administrator even if two demote each other concurrently. */
export async function changeRole(
  tx: Tx,
  member: { deployment: string; account: string },
  role: string,
): Promise<boolean> {
  await lock(tx, member.deployment);
  const changed = await tx.run`
    update membership set role = ${role}, changed_at = now()
    where deployment_id = ${member.deployment} and account_id = ${member.account}`;
  if ((await countAdministrators(tx, member.deployment)) === 0) throw LAST_ADMINISTRATOR();
  return changed === 1;
}

/** Removes a membership, and with it the memberships in teams. */
export async function removeMembership(tx: Tx, member: { deployment: string; account: string }): Promise<boolean> {
  await lock(tx, member.deployment);
  const removed = await tx.run`
    delete from membership where deployment_id = ${member.deployment} and account_id = ${member.account}`;
  if ((await countAdministrators(tx, member.deployment)) === 0) throw LAST_ADMINISTRATOR();
  return removed === 1;
}

/** The deployment that an account joined first, and its role there. */
export const findFirstMembership = (tx: Tx, account: string): Promise<z.output<typeof FirstMembership> | undefined> =>
  tx.one(FirstMembership)`
    select deployment_id as deployment, role from membership
    where account_id = ${account} order by joined_at, deployment_id limit 1`;
