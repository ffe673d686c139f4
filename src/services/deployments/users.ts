import { z } from 'zod';
import { nameKey } from '#domain/deployments/rules.ts';
import { teamVisibilitySql } from '#domain/teams/visibility.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import { emptySql, type Sql, sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { UserSort } from './rules.ts';
import { DeploymentUser } from './user-shape.ts';

const Row = DeploymentUser.extend({ sort_key: z.string() });
export type DeploymentUserRow = z.output<typeof Row>;

export interface UserListOptions {
  sort: UserSort;
  query?: string | undefined;
  isActiveOnly?: boolean | undefined;
  isAdministrator?: boolean | undefined;
  ids?: readonly string[] | undefined;
  after?: string[] | null;
  /** Without it all users are listed. */
  limit?: number | undefined;
}

/** The sort keys as text, so that cursors have the same form for every order. */
const SORT_KEYS: Record<UserSort['by'], Sql> = {
  name: sql`lower(account.name)`,
  email: sql`account.email_key`,
  since: sql`to_char(membership.joined_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS')`,
};

function conditions({ query, isActiveOnly, isAdministrator, ids }: UserListOptions): Sql {
  const text = nameKey(query ?? '');
  const isFound = sql`and (strpos(lower(account.name), ${text}) > 0 or strpos(account.email_key, ${text}) > 0)`;
  return sql`
    ${text === '' ? emptySql : isFound}
    ${isActiveOnly ? sql`and account.disabled_at is null and account.deleted_at is null` : emptySql}
    ${isAdministrator === undefined ? emptySql : sql`and (membership.role = 'ORG_ROLE_ADMIN') = ${isAdministrator}`}
    ${ids === undefined ? emptySql : sql`and membership.account_id = any(${ids}::bigint[])`}`;
}

function startOf(key: Sql, { sort, after }: UserListOptions): Sql {
  if (!after) return emptySql;
  const position = sql`(${after[0]}::text, ${after[1]}::bigint)`;
  return sort.isDescending
    ? sql`and (${key} collate "C", account.id) < ${position}`
    : sql`and (${key} collate "C", account.id) > ${position}`;
}

/** The teams of the users of a page, each built once. */
const pageTeams = (caller: Caller): Sql => sql`
  select team.id, json_build_object(
      'id', team.id::text, 'deploymentId', team.deployment_id::text, 'name', team.name, 'slug', team.slug,
      'description', '', 'repositoryIds', array[]::text[], 'users', array[]::text[],
      'isDefault', team.is_user_default,
      'projectManagementType', case when team.is_project_default then 'PROJECT_MANAGEMENT_TYPE_ALL_PROJECTS'
                                    else 'PROJECT_MANAGEMENT_TYPE_UNMANAGED' end,
      'parentGroupId', coalesce(team.parent_team_id, 0)::text, 'childGroupIds', array[]::text[],
      'repositoryCount', (select count(*) from team_project
        where team_project.deployment_id = team.deployment_id and team_project.team_id = team.id)::text,
      'userCount', (select count(*) from team_member
        where team_member.deployment_id = team.deployment_id and team_member.team_id = team.id)::text,
      'childGroupCount', (select count(*) from team as child
        where child.deployment_id = team.deployment_id and child.parent_team_id = team.id)::text) as shape
  from team
  where team.deployment_id = ${caller.deployment} and team.id in (select team_id from page_member)
    and ${teamVisibilitySql(caller)}`;

/** Users of the caller's deployment with the teams that the caller sees, in one statement. */
export function list(tx: Tx, caller: Caller, options: UserListOptions): Promise<DeploymentUserRow[]> {
  const key = SORT_KEYS[options.sort.by];
  const direction = options.sort.isDescending ? sql`desc` : sql`asc`;
  return tx.all(Row)`
    with page as (
      select account.id, ${key} as sort_key, membership.role, membership.joined_at, membership.changed_at, account.name,
        account.email, account.password_hash is not null as has_password,
        account.disabled_at is null and account.deleted_at is null as is_active
      from membership join account on account.id = membership.account_id
      where membership.deployment_id = ${caller.deployment} ${conditions(options)} ${startOf(key, options)}
      order by ${key} collate "C" ${direction}, account.id ${direction}
      limit ${options.limit ?? null}::bigint
    ), page_member as (
      select team_member.account_id, team_member.team_id, team_member.role
      from team_member join page on page.id = team_member.account_id
      where team_member.deployment_id = ${caller.deployment}
    ), shown as materialized (${pageTeams(caller)}),
    grouped as (
      select page_member.account_id, json_agg(json_build_object('group', shown.shape, 'role', case page_member.role
          when 'TEAM_ROLE_MANAGER' then 'ROLE_MANAGER' when 'TEAM_ROLE_READONLY' then 'ROLE_READ_ONLY'
          else 'ROLE_DEVELOPER' end) order by shown.id) as groups
      from page_member join shown on shown.id = page_member.team_id group by page_member.account_id
    )
    select page.id, page.sort_key, page.role as "orgRole", page.joined_at as since, page.changed_at as "lastUpdatedAt",
      case when has_password then array['password'] else array[]::text[] end as authentication,
      coalesce(grouped.groups, '[]') as groups, page.name, page.email as login, page.email, '' as "avatarUrl",
      page.is_active as active, false as "scimManaged"
    from page left join grouped on grouped.account_id = page.id
    order by page.sort_key collate "C" ${direction}, page.id ${direction}`;
}
