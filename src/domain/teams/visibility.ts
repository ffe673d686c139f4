import { teamPermissionsOf } from '#domain/access/roles.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import { type Sql, sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { ObjectLoader } from '#kernel/http/pipeline/group.ts';

/**
 * The teams a person reaches: their own and all below them, with the best role on the way down.
 * As a subquery with the columns team_id, is_direct and is_manager.
 */
const reach = (deployment: string, account: string | Sql): Sql => sql`
  with recursive reached as (
    select team_id, true as is_direct, role = 'TEAM_ROLE_MANAGER' as is_manager
    from team_member where deployment_id = ${deployment} and account_id = ${account}
    union
    select team.id, false, reached.is_manager
    from team join reached on team.parent_team_id = reached.team_id where team.deployment_id = ${deployment}
  )
  select team_id, bool_or(is_direct) as is_direct, bool_or(is_manager) as is_manager from reached group by team_id`;

/** Account 0 is nobody: tokens and strangers are in no team. */
export const accountIdOf = (caller: Caller): string => caller.userId || '0';

const noReach = sql`select null::bigint as team_id, false as is_direct, false as is_manager where false`;

export const reachableTeams = (caller: Caller): Sql =>
  caller.userId === '' ? noReach : reach(caller.deployment, caller.userId);

/** A condition on `team`: the caller may see it. */
export const teamVisibilitySql = (caller: Caller): Sql =>
  caller.seesEverything ? sql`true` : sql`team.id in (select team_id from (${reachableTeams(caller)}) as reach)`;

const projectIsIn = (reached: Sql): Sql => sql`
  exists (select from team_project
          where team_project.deployment_id = project.deployment_id and team_project.project_id = project.id
            and team_project.team_id in (select team_id from (${reached}) as reach))`;

/** A condition on `project`: it belongs to a team that the caller reaches, or the caller is not bound to teams. */
export const projectVisibilitySql = (caller: Caller): Sql =>
  caller.seesEverything ? sql`true` : projectIsIn(reachableTeams(caller));

/** Of these projects, those that each of these callers may see: the same rule for all of them in one statement. */
export async function projectVisibilityFor(
  tx: Tx,
  callers: readonly Caller[],
  { deployment, projects }: { deployment: string; projects: readonly string[] },
): Promise<(caller: Caller, project: string) => boolean> {
  const accounts = [...new Set(callers.filter(({ seesEverything }) => !seesEverything).map(accountIdOf))];
  const rows =
    accounts.length === 0 || projects.length === 0
      ? []
      : await tx.rows`
          select asked.account_id, project.id
          from unnest(${accounts}::bigint[]) as asked (account_id)
          join project on project.deployment_id = ${deployment} and project.id = any(${projects}::bigint[])
          where ${projectIsIn(reach(deployment, sql`asked.account_id`))}`;
  const pairs = new Set(rows.map((row) => `${row['account_id']}/${row['id']}`));
  return (caller, project) => caller.seesEverything || pairs.has(`${accountIdOf(caller)}/${project}`);
}

/** What the caller may do on one team beyond the role in the deployment; undefined when they may not see it. */
export async function teamPermissionsFor(
  tx: Tx,
  caller: Caller,
  team: string,
): Promise<ReadonlySet<string> | undefined> {
  const [row] = await tx.rows`
    select reach.is_manager from team left join (${reachableTeams(caller)}) as reach on reach.team_id = team.id
    where team.deployment_id = ${caller.deployment} and team.id = ${team} and ${teamVisibilitySql(caller)}`;
  if (!row) return undefined;
  return row['is_manager'] === true ? teamPermissionsOf('TEAM_ROLE_MANAGER') : new Set<string>();
}

/** Finds the project that a path names, as this caller may see it. */
export const loadProject: ObjectLoader = async (tx, { caller, id }) => {
  const [row] = await tx.rows`
    select from project
    where project.deployment_id = ${caller.deployment} and project.id = ${id} and ${projectVisibilitySql(caller)}`;
  return row && new Set<string>();
};
