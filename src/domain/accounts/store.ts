import { z } from 'zod';
import { nameKey } from '#domain/deployments/rules.ts';
import { lock } from '#domain/deployments/store.ts';
import { timestamp } from '#kernel/contract/proto-fields.ts';
import { sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
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

/** Equal addresses are equal whatever their case, width or the spaces around them. */
export const emailKey = nameKey;

export const findByEmail = (tx: Tx, email: string): Promise<Account | undefined> =>
  tx.one(Account)`
    select ${columns} from account where email_key = ${emailKey(email)}`;

export const find = (tx: Tx, id: string): Promise<Account | undefined> =>
  tx.one(Account)`select ${columns} from account where id = ${id}`;

export async function hasAccounts(tx: Tx): Promise<boolean> {
  const [row] = await tx.rows`select exists (select from account) as found`;
  return row?.['found'] === true;
}

export async function insert(
  tx: Tx,
  person: { email: string; name: string; passwordHash: string | null },
): Promise<string> {
  const [row] = await tx.rows`
    insert into account (email, email_key, name, password_hash)
    values (${person.email}, ${emailKey(person.email)}, ${person.name}, ${person.passwordHash})
    returning id`;
  return String(row?.['id']);
}

export const addMembership = (
  tx: Tx,
  membership: { deployment: string; account: string; role: string },
): Promise<number> =>
  tx.run`
    insert into membership (deployment_id, account_id, role)
    values (${membership.deployment}, ${membership.account}, ${membership.role})`;

export async function isMember(tx: Tx, who: { deployment: string; account: string }): Promise<boolean> {
  const [row] = await tx.rows`
    select from membership where deployment_id = ${who.deployment} and account_id = ${who.account}`;
  return row !== undefined;
}

const countAdministrators = async (tx: Tx, deployment: string): Promise<number> => {
  const [row] = await tx.rows`
    select count(*) as count from membership where deployment_id = ${deployment} and role = 'ORG_ROLE_ADMIN'`;
  return Number(row?.['count'] ?? 0);
};

/** The role of a member, who is held until the end of the transaction. */
export async function lockMemberRole(
  tx: Tx,
  who: { deployment: string; account: string },
): Promise<string | undefined> {
  await lock(tx, who.deployment);
  const [row] = await tx.rows`
    select role from membership
    where deployment_id = ${who.deployment} and account_id = ${who.account} for no key update`;
  return row && String(row['role']);
}

/** Changes a member's role; a deployment always keeps an administrator, also when two demote each other at once. */
export async function changeRole(tx: Tx, who: { deployment: string; account: string }, role: string): Promise<boolean> {
  await lock(tx, who.deployment);
  const changed = await tx.run`
    update membership set role = ${role}, changed_at = now()
    where deployment_id = ${who.deployment} and account_id = ${who.account}`;
  if ((await countAdministrators(tx, who.deployment)) === 0) throw LAST_ADMINISTRATOR();
  return changed === 1;
}

/** Ends a membership, and with it the places in teams. */
export async function removeMembership(tx: Tx, who: { deployment: string; account: string }): Promise<boolean> {
  await lock(tx, who.deployment);
  const removed = await tx.run`
    delete from membership where deployment_id = ${who.deployment} and account_id = ${who.account}`;
  if ((await countAdministrators(tx, who.deployment)) === 0) throw LAST_ADMINISTRATOR();
  return removed === 1;
}

/** The role of a person in the deployment they joined first. */
export async function findFirstMembership(
  tx: Tx,
  account: string,
): Promise<{ deployment: string; role: string } | undefined> {
  const [row] = await tx.rows`
    select deployment_id, role from membership where account_id = ${account} order by joined_at, deployment_id limit 1`;
  return row && { deployment: String(row['deployment_id']), role: String(row['role']) };
}
