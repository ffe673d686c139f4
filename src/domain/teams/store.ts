import { z } from 'zod';
import { nameKey, numberedSlug, slugOf } from '#domain/deployments/rules.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import { id as brandedId, count, type Id } from '#kernel/contract/proto-fields.ts';
import type { PageWindow } from '#kernel/db/query/page.ts';
import { RowCount, RowId } from '#kernel/db/query/row-schemas.ts';
import { emptySql, type Sql, sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { Team, TeamMember } from './shape.ts';
import { reachableTeams, teamVisibilitySql } from './visibility.ts';

const Versioned = Team.extend({ version: count() });
export type VersionedTeam = z.output<typeof Versioned>;

/** The scopes of the caller on a team: direct membership, and management by role or as an administrator. */
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

const TeamDepth = z.object({ depth: z.int() });

/** Locks the team until the end of the transaction; undefined if it does not exist. */
export const lockTeam = (tx: Tx, deployment: string, id: string): Promise<z.output<typeof TeamDepth> | undefined> =>
  tx.one(TeamDepth)`
    select 1 + (parent_team_id is not null)::int + coalesce((
        select (above.parent_team_id is not null)::int from team as above
        where above.deployment_id = team.deployment_id and above.id = team.parent_team_id), 0) as depth
    from team where deployment_id = ${deployment} and id = ${id} for no key update of team`;

export async function countAll(tx: Tx, deployment: string): Promise<number> {
  const row = await tx.one(RowCount)`select count(*) as count from team where deployment_id = ${deployment}`;
  return row?.count ?? 0;
}

const Slug = z.object({ slug: z.string() });

async function freeSlug(tx: Tx, team: { deployment: string; id: string; name: string }): Promise<string> {
  const slug = slugOf(team.name);
  const rows = await tx.all(Slug)`
    select slug from team
    where deployment_id = ${team.deployment} and id <> ${team.id} and starts_with(slug, ${slug.slice(0, 50)})`;
  const taken = new Set(rows.map(({ slug: used }) => used));
  let n = 1;
  while (taken.has(numberedSlug(slug, n))) n++;
  return numberedSlug(slug, n);
}

/** The id of the new team, or undefined if a sibling has that name. The caller has locked the deployment. */
export async function insert(
  tx: Tx,
  team: { deployment: string; name: string; parent: string | undefined },
): Promise<string | undefined> {
  const slug = await freeSlug(tx, { ...team, id: '0' });
  const row = await tx.one(RowId)`
    insert into team (deployment_id, name, name_key, slug, parent_team_id)
    values (${team.deployment}, ${team.name}, ${nameKey(team.name)}, ${slug}, ${team.parent ?? null})
    on conflict do nothing
    returning id`;
  return row?.id;
}

/** False if a sibling has that name. The caller has locked the deployment. */
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

const ProjectId = z.object({ id: brandedId('Project') });
const TeamId = z.object({ id: brandedId('Team') });

export async function listProjects(
  tx: Tx,
  team: { deployment: string; id: string },
  { after, limit }: PageWindow,
): Promise<Id<'Project'>[]> {
  const rows = await tx.all(ProjectId)`
    select project_id as id from team_project
    where deployment_id = ${team.deployment} and team_id = ${team.id} ${afterId(sql`project_id`, after)}
    order by project_id limit ${limit + 1}`;
  return rows.map(({ id }) => id);
}

export async function listChildren(
  tx: Tx,
  team: { deployment: string; id: string },
  { after, limit }: PageWindow,
): Promise<Id<'Team'>[]> {
  const rows = await tx.all(TeamId)`
    select id from team
    where deployment_id = ${team.deployment} and parent_team_id = ${team.id} ${afterId(sql`id`, after)}
    order by id limit ${limit + 1}`;
  return rows.map(({ id }) => id);
}

const afterId = (column: Sql, after: string[] | null): Sql =>
  after ? sql`and ${column} > ${after[0]}::bigint` : emptySql;
