import { z } from 'zod';
import { teamPermissionsOf } from '#domain/access/roles.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import { type Sql, sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { ObjectLoader } from '#kernel/http/pipeline/group.ts';

/**
 * The teams that an account can see: its own and all teams below them, with the highest role inherited from above.
 * A subquery with the columns team_id, is_direct and is_manager.
 */
const teamsOfAccount = (deployment: string, account: string | Sql): Sql => sql`
  with recursive reached as (
    select team_id, true as is_direct, role = 'TEAM_ROLE_MANAGER' as is_manager
    from team_member where deployment_id = ${deployment} and account_id = ${account}
    union
    select team.id, false, reached.is_manager
    from team join reached on team.parent_team_id = reached.team_id where team.deployment_id = ${deployment}
  )
  select team_id, bool_or(is_direct) as is_direct, bool_or(is_manager) as is_manager from reached group by team_id`;

/** 0 for callers without an account, such as tokens: they are in no team. */
export const accountIdOf = (caller: Caller): string => caller.userId || '0';

const noTeams = sql`select null::bigint as team_id, false as is_direct, false as is_manager where false`;

export const reachableTeams = (caller: Caller): Sql =>
  caller.userId === '' ? noTeams : teamsOfAccount(caller.deployment, caller.userId);

/** A condition on `team`: the caller may see it. */
export const teamVisibilitySql = (caller: Caller): Sql =>
  caller.seesEverything ? sql`true` : sql`team.id in (select team_id from (${reachableTeams(caller)}) as reach)`;

const isProjectOf = (teams: Sql): Sql => sql`
  exists (select from team_project
          where team_project.deployment_id = project.deployment_id and team_project.project_id = project.id
            and team_project.team_id in (select team_id from (${teams}) as reach))`;

/**
 * A condition on `project`: the caller sees all projects, or one of the teams that the caller can see has it, or it is
 * the only one that the credential may use.
 */
export function projectVisibilitySql(caller: Caller): Sql {
  if (caller.onlyName !== undefined) return sql`project.name_key = ${caller.onlyName}`;
  return caller.seesEverything ? sql`true` : isProjectOf(reachableTeams(caller));
}

const VisibleProject = z.object({ account_id: z.string(), id: z.string() });

/** Tells for several callers which of these projects they may see, with one statement. */
export async function projectVisibilityFor(
  tx: Tx,
  callers: readonly Caller[],
  { deployment, projects }: { deployment: string; projects: readonly string[] },
): Promise<(caller: Caller, project: string) => boolean> {
  const accounts = [...new Set(callers.filter(({ seesEverything }) => !seesEverything).map(accountIdOf))];
  const rows =
    accounts.length === 0 || projects.length === 0
      ? []
      : await tx.all(VisibleProject)`
          select viewer.account_id, project.id
          from unnest(${accounts}::bigint[]) as viewer (account_id)
          join project on project.deployment_id = ${deployment} and project.id = any(${projects}::bigint[])
          where ${isProjectOf(teamsOfAccount(deployment, sql`viewer.account_id`))}`;
  const pairs = new Set(rows.map(({ account_id, id }) => `${account_id}/${id}`));
  return (caller, project) => caller.seesEverything || pairs.has(`${accountIdOf(caller)}/${project}`);
}

const TeamManagement = z.object({ is_manager: z.boolean().optional() });

/** The permissions on one team in addition to those of the deployment role; undefined if the team is not visible. */
export async function teamPermissionsFor(
  tx: Tx,
  caller: Caller,
  team: string,
): Promise<ReadonlySet<string> | undefined> {
  const row = await tx.one(TeamManagement)`
    select reach.is_manager from team left join (${reachableTeams(caller)}) as reach on reach.team_id = team.id
    where team.deployment_id = ${caller.deployment} and team.id = ${team} and ${teamVisibilitySql(caller)}`;
  if (!row) return undefined;
  return row.is_manager ? teamPermissionsOf('TEAM_ROLE_MANAGER') : new Set<string>();
}

/** Loads the project of a path parameter if the caller may see it. */
export const loadProject: ObjectLoader = async (tx, { caller, id }) => {
  const [row] = await tx.rows`
    select from project
    where project.deployment_id = ${caller.deployment} and project.id = ${id} and ${projectVisibilitySql(caller)}`;
  return row && new Set<string>();
};
