import { z } from 'zod';
import { nameKey } from '#domain/deployments/rules.ts';
import { timestamp } from '#kernel/contract/proto-fields.ts';
import { RowCount } from '#kernel/db/query/row-schemas.ts';
import { emptySql, sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { KnownValues } from './filter.ts';

const StoredUser = z.object({
  id: z.string(),
  version: z.string(),
  user_name: z.string(),
  external_id: z.string().optional(),
  email: z.string().optional(),
  is_active: z.boolean(),
  data: z.record(z.string(), z.unknown()),
  account_id: z.string().optional(),
  created_at: timestamp(),
  updated_at: timestamp(),
  groups: z.array(z.object({ id: z.string(), name: z.string() })),
});
export type StoredUser = z.output<typeof StoredUser>;

const columns = sql`
  scim_user.id, scim_user.version, user_name, scim_user.external_id, email, is_active, data, account_id,
  scim_user.created_at, scim_user.updated_at,
  coalesce((
    select json_agg(json_build_object('id', scim_group.id::text, 'name', scim_group.display_name)
                    order by scim_group.id)
    from scim_group_member
    join scim_group on scim_group.deployment_id = scim_group_member.deployment_id
      and scim_group.id = scim_group_member.group_id
    where scim_group_member.deployment_id = scim_user.deployment_id and scim_group_member.user_id = scim_user.id),
    '[]') as groups`;

export interface UserRef {
  deployment: string;
  id: string;
}

const optional = (condition: boolean, clause: ReturnType<typeof sql>) => (condition ? clause : emptySql);

export const list = (tx: Tx, deployment: string, known: KnownValues): Promise<StoredUser[]> =>
  tx.all(StoredUser)`
    select ${columns} from scim_user
    where deployment_id = ${deployment}
      ${optional(known.userName !== undefined, sql`and user_name_key = ${nameKey(known.userName ?? '')}`)}
      ${optional(known.externalId !== undefined, sql`and external_id = ${known.externalId}`)}
      ${optional(known.id !== undefined, sql`and id::text = ${known.id}`)}
    order by id`;

export const find = (tx: Tx, { deployment, id }: UserRef): Promise<StoredUser | undefined> =>
  tx.one(StoredUser)`select ${columns} from scim_user where deployment_id = ${deployment} and id = ${id}`;

export const findForUpdate = async (tx: Tx, ref: UserRef): Promise<StoredUser | undefined> => {
  await tx.run`select from scim_user where deployment_id = ${ref.deployment} and id = ${ref.id} for update`;
  return find(tx, ref);
};

export async function countAll(tx: Tx, deployment: string): Promise<number> {
  const row = await tx.one(RowCount)`select count(*) as count from scim_user where deployment_id = ${deployment}`;
  return row?.count ?? 0;
}

export interface UserDraft {
  userName: string;
  externalId: string | undefined;
  email: string | undefined;
  isActive: boolean;
  data: Record<string, unknown>;
}

/** The attribute of another person that the draft repeats; undefined if there is none. */
export async function findTaken(
  tx: Tx,
  { deployment, id }: UserRef,
  { userName, email }: UserDraft,
): Promise<'userName' | 'e-mail address' | undefined> {
  const row = await tx.one(z.object({ is_name: z.boolean() }))`
    select user_name_key = ${nameKey(userName)} as is_name from scim_user
    where deployment_id = ${deployment} and id <> ${id}
      and (user_name_key = ${nameKey(userName)} or email_key = ${email === undefined ? null : nameKey(email)})
    order by is_name desc limit 1`;
  if (!row) return undefined;
  return row.is_name ? 'userName' : 'e-mail address';
}

export async function insert(tx: Tx, deployment: string, draft: UserDraft): Promise<StoredUser> {
  const row = await tx.one(z.object({ id: z.string() }))`
    insert into scim_user (deployment_id, user_name, user_name_key, external_id, email, email_key, is_active, data)
    values (${deployment}, ${draft.userName}, ${nameKey(draft.userName)}, ${draft.externalId ?? null},
            ${draft.email ?? null}, ${draft.email === undefined ? null : nameKey(draft.email)}, ${draft.isActive},
            ${JSON.stringify(draft.data)}::jsonb)
    returning id`;
  const stored = row && (await find(tx, { deployment, id: row.id }));
  if (!stored) throw new Error('The provisioned person was not inserted.');
  return stored;
}

export const update = (tx: Tx, { deployment, id }: UserRef, draft: UserDraft): Promise<number> =>
  tx.run`
    update scim_user set version = version + 1, updated_at = now(), user_name = ${draft.userName},
      user_name_key = ${nameKey(draft.userName)}, external_id = ${draft.externalId ?? null},
      email = ${draft.email ?? null}, email_key = ${draft.email === undefined ? null : nameKey(draft.email)},
      is_active = ${draft.isActive}, data = ${JSON.stringify(draft.data)}::jsonb
    where deployment_id = ${deployment} and id = ${id}`;

export const remove = (tx: Tx, { deployment, id }: UserRef): Promise<number> =>
  tx.run`delete from scim_user where deployment_id = ${deployment} and id = ${id}`;

/** Links the member who has the address of the provisioned person; returns their account. */
export async function linkMember(tx: Tx, { deployment, id }: UserRef): Promise<string | undefined> {
  const row = await tx.one(z.object({ account_id: z.string() }))`
    update scim_user set account_id = account.id
    from account join membership on membership.account_id = account.id
    where scim_user.deployment_id = ${deployment} and scim_user.id = ${id} and scim_user.account_id is null
      and membership.deployment_id = ${deployment} and account.email_key = scim_user.email_key
      and not exists (select from scim_user as other
                      where other.deployment_id = ${deployment} and other.account_id = account.id)
    returning scim_user.account_id`;
  return row?.account_id;
}
