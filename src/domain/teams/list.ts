import { nameKey } from '#domain/deployments/rules.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import { arrayText, bare, flag, jsonText, type MemberText, objectText } from '#kernel/db/json-text.ts';
import type { Window } from '#kernel/db/page.ts';
import { nothing, type Sql, sql } from '#kernel/db/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { reachOf } from './reach.ts';

export interface TextPage {
  items: string;
  hasMore: boolean;
  last: string[];
}

/** Who is in no team has no reach, and joins nothing. */
function reachJoin(caller: Caller): { columns: Sql; join: Sql } {
  if (caller.userId === '' && caller.seesEverything)
    return { columns: sql`false as is_direct, false as is_manager`, join: nothing };
  const columns = sql`coalesce(reach.is_direct, false) as is_direct, coalesce(reach.is_manager, false) as is_manager`;
  const reach = sql`join (${reachOf(caller)}) as reach on reach.team_id = team.id`;
  return { columns, join: caller.seesEverything ? sql`left ${reach}` : reach };
}

const scopes = (isManager: Sql): Sql => sql`
  case when is_direct then
    case when ${isManager} then '["TEAM_SCOPE_DIRECT_MEMBER","TEAM_SCOPE_MANAGE"]'
         else '["TEAM_SCOPE_DIRECT_MEMBER"]' end
  else case when ${isManager} then '["TEAM_SCOPE_MANAGE"]' else '[]' end end`;

/** Counts for all teams of a page together: one walk along an index, where a count for each team is a walk for each. */
const countJoin = (caller: Caller, counted: { name: Sql; table: Sql; team: Sql }): Sql => sql`
  left join (
    select ${counted.team} as team_id, count(*) from ${counted.table}
    where deployment_id = ${caller.deployment} and ${counted.team} = any(array(select id from page))
    group by ${counted.team}) as ${counted.name} on ${counted.name}.team_id = team.id`;

const countOf = (name: Sql): MemberText => bare(sql`coalesce(${name}.count, 0)`);

const repositories = { name: sql`repositories`, table: sql`team_project`, team: sql`team_id` };
const users = { name: sql`users`, table: sql`team_member`, team: sql`team_id` };
const children = { name: sql`children`, table: sql`team`, team: sql`parent_team_id` };

const teamText = (isManager: Sql): Sql =>
  objectText({
    id: bare(sql`team.id`),
    deploymentId: bare(sql`team.deployment_id`),
    name: jsonText(sql`to_json(team.name)::text`),
    slug: bare(sql`team.slug`),
    parentTeamId: bare(sql`coalesce(team.parent_team_id, 0)`),
    repositoryCount: countOf(repositories.name),
    userCount: countOf(users.name),
    childTeamCount: countOf(children.name),
    isProjectDefault: flag(sql`team.is_project_default`),
    isUserDefault: flag(sql`team.is_user_default`),
    authorizedScopes: jsonText(scopes(isManager)),
  });

const order = sql`team.name collate "C", team.id`;
const itemsForManagers = arrayText(teamText(sql`true`), order);
const itemsForOthers = arrayText(teamText(sql`is_manager`), order);

/**
 * Teams in name order as JSON text that PostgreSQL built; `name` is an exact match ignoring case.
 * A materialized page is read in the order in which it was made; only the joins may change that order.
 */
export async function listText(tx: Tx, caller: Caller, name: string, { after, limit }: Window): Promise<TextPage> {
  const reach = reachJoin(caller);
  const [row] = await tx.rows`
    with page as materialized (
      select team.id, team.deployment_id, team.name, team.slug, team.parent_team_id,
        team.is_project_default, team.is_user_default, ${reach.columns}
      from team ${reach.join}
      where team.deployment_id = ${caller.deployment}
        ${name === '' ? nothing : sql`and team.name_key = ${nameKey(name)}`}
        ${after ? sql`and (team.name collate "C", team.id) > (${after[0]}, ${after[1]}::bigint)` : nothing}
      order by ${order}
      limit ${limit + 1}::int
    )
    select (
        select ${caller.permissions.has('team:manage') ? itemsForManagers : itemsForOthers}
        from (select * from page limit ${limit}::int) as team
        ${countJoin(caller, repositories)} ${countJoin(caller, users)} ${countJoin(caller, children)}
      ) as items,
      array(select array[name, id::text] from page offset ${limit}::int - 1 limit 2) as ending`;
  const [last = [], following] = (row?.['ending'] ?? []) as string[][];
  return { items: String(row?.['items']), hasMore: following !== undefined, last };
}
