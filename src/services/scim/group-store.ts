import { z } from 'zod';
import { nameKey } from '#domain/deployments/rules.ts';
import { timestamp } from '#kernel/contract/proto-fields.ts';
import { RowCount, RowId, returnedId } from '#kernel/db/query/row-schemas.ts';
import { emptySql, sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { KnownValues } from './filter.ts';

const StoredGroup = z.object({
  id: z.string(),
  version: z.string(),
  display_name: z.string(),
  external_id: z.string().optional(),
  team_id: z.string(),
  created_at: timestamp(),
  updated_at: timestamp(),
  members: z.array(z.string()),
});
export type StoredGroup = z.output<typeof StoredGroup>;

const columns = sql`
  scim_group.id, scim_group.version, display_name, scim_group.external_id, team_id, scim_group.created_at,
  scim_group.updated_at,
  coalesce((
    select json_agg(scim_group_member.user_id::text order by scim_group_member.user_id)
    from scim_group_member
    where scim_group_member.deployment_id = scim_group.deployment_id and scim_group_member.group_id = scim_group.id),
    '[]') as members`;

export interface GroupRef {
  deployment: string;
  id: string;
}

export const list = (tx: Tx, deployment: string, known: KnownValues): Promise<StoredGroup[]> =>
  tx.all(StoredGroup)`
    select ${columns} from scim_group
    where deployment_id = ${deployment}
      ${known.displayName === undefined ? emptySql : sql`and lower(display_name) = ${known.displayName.toLowerCase()}`}
      ${known.externalId === undefined ? emptySql : sql`and external_id = ${known.externalId}`}
      ${known.id === undefined ? emptySql : sql`and id::text = ${known.id}`}
    order by id`;

export const find = (tx: Tx, { deployment, id }: GroupRef): Promise<StoredGroup | undefined> =>
  tx.one(StoredGroup)`select ${columns} from scim_group where deployment_id = ${deployment} and id = ${id}`;

export const findForUpdate = async (tx: Tx, ref: GroupRef): Promise<StoredGroup | undefined> => {
  await tx.run`select from scim_group where deployment_id = ${ref.deployment} and id = ${ref.id} for update`;
  return find(tx, ref);
};

export async function countAll(tx: Tx, deployment: string): Promise<number> {
  const row = await tx.one(RowCount)`select count(*) as count from scim_group where deployment_id = ${deployment}`;
  return row?.count ?? 0;
}

const TeamOfName = z.object({ id: z.string(), is_taken: z.boolean() });

/** The team of this name that is below no other, and whether another group has it. */
export const findTeam = (tx: Tx, deployment: string, name: string) =>
  tx.one(TeamOfName)`
    select id, exists (select from scim_group
                       where scim_group.deployment_id = team.deployment_id and team_id = team.id) as is_taken
    from team where deployment_id = ${deployment} and parent_team_id is null and name_key = ${nameKey(name)}`;

export async function insert(
  tx: Tx,
  deployment: string,
  group: { displayName: string; externalId: string | undefined; team: string },
): Promise<string> {
  const row = await tx.one(RowId)`
    insert into scim_group (deployment_id, display_name, external_id, team_id)
    values (${deployment}, ${group.displayName}, ${group.externalId ?? null}, ${group.team})
    returning id`;
  return returnedId(row);
}

export const update = (
  tx: Tx,
  { deployment, id }: GroupRef,
  group: { displayName: string; externalId: string | undefined },
): Promise<number> =>
  tx.run`
    update scim_group set version = version + 1, updated_at = now(), display_name = ${group.displayName},
      external_id = ${group.externalId ?? null}
    where deployment_id = ${deployment} and id = ${id}`;

/** Ids among these that are not provisioned people. */
export async function findUnknownUsers(tx: Tx, deployment: string, users: readonly string[]): Promise<string[]> {
  const rows = await tx.all(RowId)`
    select requested.id from unnest(${users}::bigint[]) as requested (id)
    where not exists (select from scim_user
                      where scim_user.deployment_id = ${deployment} and scim_user.id = requested.id)`;
  return rows.map(({ id }) => id);
}

/** Makes these people the members of the group. Those who are gone meanwhile are left out. */
export async function setMembers(tx: Tx, { deployment, id }: GroupRef, users: readonly string[]): Promise<void> {
  await tx.run`
    delete from scim_group_member
    where deployment_id = ${deployment} and group_id = ${id} and user_id <> all(${users}::bigint[])`;
  await tx.run`
    insert into scim_group_member (deployment_id, group_id, user_id)
    select deployment_id, ${id}, scim_user.id from scim_user
    where deployment_id = ${deployment} and scim_user.id = any(${users}::bigint[])
    for key share
    on conflict do nothing`;
}

/** Gives the team the members of the group. People whom no identity provider manages stay in it as they are. */
export async function syncTeam(tx: Tx, { deployment, id }: GroupRef, team: string): Promise<void> {
  await tx.run`
    delete from team_member
    using scim_user
    where team_member.deployment_id = ${deployment} and team_member.team_id = ${team}
      and scim_user.deployment_id = ${deployment} and scim_user.account_id = team_member.account_id
      and not exists (select from scim_group_member
                      where scim_group_member.deployment_id = ${deployment} and scim_group_member.group_id = ${id}
                        and scim_group_member.user_id = scim_user.id)`;
  await tx.run`
    insert into team_member (deployment_id, team_id, account_id, role)
    select ${deployment}, ${team}, membership.account_id, 'TEAM_ROLE_MEMBER'
    from scim_group_member
    join scim_user on scim_user.deployment_id = scim_group_member.deployment_id
      and scim_user.id = scim_group_member.user_id
    join membership on membership.deployment_id = scim_user.deployment_id
      and membership.account_id = scim_user.account_id
    where scim_group_member.deployment_id = ${deployment} and scim_group_member.group_id = ${id}
    for key share of membership
    on conflict do nothing`;
}

export const remove = (tx: Tx, { deployment, id }: GroupRef): Promise<number> =>
  tx.run`delete from scim_group where deployment_id = ${deployment} and id = ${id}`;

/** Gives the teams of their groups to a person who became a member. */
export const syncTeamsOf = (tx: Tx, { deployment, id }: { deployment: string; id: string }): Promise<number> =>
  tx.run`
    insert into team_member (deployment_id, team_id, account_id, role)
    select ${deployment}, scim_group.team_id, membership.account_id, 'TEAM_ROLE_MEMBER'
    from scim_user
    join scim_group_member on scim_group_member.deployment_id = scim_user.deployment_id
      and scim_group_member.user_id = scim_user.id
    join scim_group on scim_group.deployment_id = scim_user.deployment_id
      and scim_group.id = scim_group_member.group_id
    join membership on membership.deployment_id = scim_user.deployment_id
      and membership.account_id = scim_user.account_id
    where scim_user.deployment_id = ${deployment} and scim_user.id = ${id}
    on conflict do nothing`;
