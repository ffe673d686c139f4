import type { z } from 'zod';
import { nameKey, numberedSlug, slugOf } from '#domain/deployments/rules.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import { count, type Id } from '#kernel/contract/proto-fields.ts';
import type { PageWindow } from '#kernel/db/query/page.ts';
import { emptySql, type Sql, sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { Team, TeamMember } from './shape.ts';
import { reachableTeams, teamVisibilitySql } from './visibility.ts';

const Versioned = Team.extend({ version: count() });
export type VersionedTeam = z.output<typeof Versioned>;

/** What the caller may do on a team: as member of it, and as its manager, from above or as administrator. */
const scopes = (caller: Caller): Sql => sql`
  array_remove(array[
    case when reach.is_direct then 'TEAM_SCOPE_DIRECT_MEMBER' end,
    case when reach.is_manager or ${caller.permissions.has('team:manage')} then 'TEAM_SCOPE_MANAGE' end], null)`;

const counts = {
  repositories: sql`(select count(*) from team_project
    where team_project.deployment_id = team.deployment_id and team_project.team_id = team.id)`,
  users: sql`(select count(*) from team_member
    where team_member.deployment_id = team.deployment_id and team_member.team_id = team.id)`,
  children: sql`(select count(*) from team as child
    where child.deployment_id = team.deployment_id and child.parent_team_id = team.id)`,
};

export const find = (tx: Tx, caller: Caller, id: string): Promise<VersionedTeam | undefined> =>
  tx.one(Versioned)`
    select team.id, team.deployment_id as "deploymentId", team.name, team.slug,
      coalesce(team.parent_team_id, 0) as "parentTeamId", ${counts.repositories} as "repositoryCount",
      ${counts.users} as "userCount", ${counts.children} as "childTeamCount",
      team.is_project_default as "isProjectDefault", team.is_user_default as "isUserDefault",
      ${scopes(caller)} as "authorizedScopes", team.version
    from team left join (${reachableTeams(caller)}) as reach on reach.team_id = team.id
    where team.deployment_id = ${caller.deployment} and team.id = ${id} and ${teamVisibilitySql(caller)}`;

/** Locks the team until the end of the transaction, so that changes to it follow one another. */
export async function lockTeam(tx: Tx, deployment: string, id: string): Promise<{ depth: number } | undefined> {
  const [row] = await tx.rows`
    select 1 + (parent_team_id is not null)::int + coalesce((
        select (above.parent_team_id is not null)::int from team as above
        where above.deployment_id = team.deployment_id and above.id = team.parent_team_id), 0) as depth
    from team where deployment_id = ${deployment} and id = ${id} for no key update of team`;
  return row && { depth: Number(row['depth']) };
}

export async function countAll(tx: Tx, deployment: string): Promise<number> {
  const [row] = await tx.rows`select count(*) as count from team where deployment_id = ${deployment}`;
  return Number(row?.['count'] ?? 0);
}

async function freeSlug(tx: Tx, team: { deployment: string; id: string; name: string }): Promise<string> {
  const slug = slugOf(team.name);
  const rows = await tx.rows`
    select slug from team
    where deployment_id = ${team.deployment} and id <> ${team.id} and starts_with(slug, ${slug.slice(0, 50)})`;
  const taken = new Set(rows.map((row) => row['slug']));
  let n = 1;
  while (taken.has(numberedSlug(slug, n))) n++;
  return numberedSlug(slug, n);
}

/** The id of the new team, or undefined when its parent has one of that name. The caller holds the deployment. */
export async function insert(
  tx: Tx,
  team: { deployment: string; name: string; parent: string | undefined },
): Promise<string | undefined> {
  const slug = await freeSlug(tx, { ...team, id: '0' });
  const [row] = await tx.rows`
    insert into team (deployment_id, name, name_key, slug, parent_team_id)
    values (${team.deployment}, ${team.name}, ${nameKey(team.name)}, ${slug}, ${team.parent ?? null})
    on conflict do nothing
    returning id`;
  return row && String(row['id']);
}

/** False when a sibling has that name. The deployment is locked by the caller. */
export async function rename(tx: Tx, team: { deployment: string; id: string; name: string }): Promise<boolean> {
  const slug = await freeSlug(tx, team);
  const changed = await tx.run`
    update team set name = ${team.name}, name_key = ${nameKey(team.name)}, slug = ${slug}
    where deployment_id = ${team.deployment} and id = ${team.id}
      and not exists (select from team as sibling
        where sibling.deployment_id = team.deployment_id and sibling.id <> team.id
          and sibling.parent_team_id is not distinct from team.parent_team_id
          and sibling.name_key = ${nameKey(team.name)})`;
  return changed === 1;
}

export const incrementVersion = (tx: Tx, deployment: string, id: string): Promise<number> =>
  tx.run`update team set version = version + 1 where deployment_id = ${deployment} and id = ${id}`;

export const remove = (tx: Tx, deployment: string, id: string): Promise<number> =>
  tx.run`delete from team where deployment_id = ${deployment} and id = ${id}`;

export const listMembers = (tx: Tx, team: { deployment: string; id: string }, { after, limit }: PageWindow) =>
  tx.all(TeamMember)`
    select account_id as "userId", role from team_member
    where deployment_id = ${team.deployment} and team_id = ${team.id} ${afterId(sql`account_id`, after)}
    order by account_id limit ${limit + 1}`;

export async function listProjects(
  tx: Tx,
  team: { deployment: string; id: string },
  { after, limit }: PageWindow,
): Promise<Id<'Project'>[]> {
  const rows = await tx.rows`
    select project_id as id from team_project
    where deployment_id = ${team.deployment} and team_id = ${team.id} ${afterId(sql`project_id`, after)}
    order by project_id limit ${limit + 1}`;
  return rows.map((row) => String(row['id']) as Id<'Project'>);
}

export async function listChildren(
  tx: Tx,
  team: { deployment: string; id: string },
  { after, limit }: PageWindow,
): Promise<Id<'Team'>[]> {
  const rows = await tx.rows`
    select id from team
    where deployment_id = ${team.deployment} and parent_team_id = ${team.id} ${afterId(sql`id`, after)}
    order by id limit ${limit + 1}`;
  return rows.map((row) => String(row['id']) as Id<'Team'>);
}

const afterId = (column: Sql, after: string[] | null): Sql =>
  after ? sql`and ${column} > ${after[0]}::bigint` : emptySql;
