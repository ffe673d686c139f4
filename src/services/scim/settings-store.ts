import { z } from 'zod';
import { emailKey } from '#domain/accounts/store.ts';
import { count, timestamp } from '#kernel/contract/proto-fields.ts';
import type { Tx } from '#kernel/db/tx.ts';

const RoleRow = z.object({ role: z.string() });
const AccountRow = z.object({ account_id: z.string() });

/** The role of people who are enrolled without a choice. */
export async function findDefaultRole(tx: Tx, deployment: string): Promise<string> {
  const row = await tx.one(RoleRow)`select default_user_role as role from deployment where id = ${deployment}`;
  return row?.role ?? 'ORG_ROLE_READONLY';
}

/** In whose name people are invited: who set provisioning up, if still an administrator, else the first one. */
export async function findInviter(tx: Tx, deployment: string): Promise<string | undefined> {
  const row = await tx.one(AccountRow)`
    select membership.account_id from membership
    left join scim_setting on scim_setting.deployment_id = membership.deployment_id
    where membership.deployment_id = ${deployment} and membership.role = 'ORG_ROLE_ADMIN'
    order by membership.account_id = scim_setting.set_up_by desc nulls last, membership.joined_at, membership.account_id
    limit 1`;
  return row?.account_id;
}

export const cancelInvitation = (tx: Tx, deployment: string, email: string): Promise<number> =>
  tx.run`
    delete from invitation
    where deployment_id = ${deployment} and email_key = ${emailKey(email)} and accepted_at is null`;

const Setting = z.object({
  tokenId: z.string(),
  suffix: z.string(),
  createdAt: timestamp(),
  expiresAt: timestamp(),
  lastUsedAt: timestamp().optional(),
  lastChangeAt: timestamp().optional(),
  lastChange: z.string(),
  users: count(),
  groups: count(),
});

/** The set-up, if there is a token that was not revoked. */
export const find = (tx: Tx, deployment: string): Promise<z.output<typeof Setting> | undefined> =>
  tx.one(Setting)`
    select token_id as "tokenId", suffix, api_token.created_at as "createdAt", expires_at as "expiresAt",
      last_used_at as "lastUsedAt", last_change_at as "lastChangeAt", last_change as "lastChange",
      (select count(*) from scim_user where scim_user.deployment_id = scim_setting.deployment_id) as users,
      (select count(*) from scim_group where scim_group.deployment_id = scim_setting.deployment_id) as groups
    from scim_setting
    join api_token on api_token.deployment_id = scim_setting.deployment_id and api_token.id = scim_setting.token_id
    where scim_setting.deployment_id = ${deployment} and revoked_at is null`;

/** Makes this the token of provisioning. */
export const save = (
  tx: Tx,
  { deployment, token, account }: { deployment: string; token: string; account: string },
): Promise<number> =>
  tx.run`
    insert into scim_setting (deployment_id, token_id, set_up_by) values (${deployment}, ${token}, ${account})
    on conflict (deployment_id) do update set token_id = excluded.token_id, set_up_by = excluded.set_up_by`;

/** Revokes the tokens of provisioning; all of them, should there be several. */
export const revokeTokens = (tx: Tx, deployment: string): Promise<number> =>
  tx.run`
    update api_token set revoked_at = now()
    where deployment_id = ${deployment} and role = 'TOKEN_ROLE_SCIM' and revoked_at is null`;

export const recordChange = (tx: Tx, deployment: string, change: string): Promise<number> =>
  tx.run`
    update scim_setting set last_change_at = now(), last_change = left(${change}, 200)
    where deployment_id = ${deployment}`;
