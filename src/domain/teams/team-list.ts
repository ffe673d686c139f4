import { nameKey } from '#domain/deployments/rules.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import { columnText, parseColumn, parseLookup } from '#kernel/db/query/column-text.ts';
import { fixed, flag, type JsonMember, jsonObject, jsonText, unescaped } from '#kernel/db/query/json-sql.ts';
import type { PageWindow } from '#kernel/db/query/page.ts';
import { emptySql, flatten, type Sql, sql, sqlTemplate } from '#kernel/db/query/sql.ts';
import type { SqlRow, Tx } from '#kernel/db/tx.ts';
import { reachableTeams } from './visibility.ts';

export interface TeamPage {
  items: string;
  hasMore: boolean;
  last: string[];
}

/** Tokens belong to no team and see all of them. */
const isWithoutTeams = (caller: Caller): boolean => caller.userId === '' && caller.seesEverything;

/** Joins the caller's teams; a caller without teams needs no join. */
function reachJoin(caller: Caller): { columns: Sql; join: Sql } {
  if (isWithoutTeams(caller)) return { columns: sql`false as is_direct, false as is_manager`, join: emptySql };
  const columns = sql`coalesce(reach.is_direct, false) as is_direct, coalesce(reach.is_manager, false) as is_manager`;
  const reach = sql`join (${reachableTeams(caller)}) as reach on reach.team_id = team.id`;
  return { columns, join: caller.seesEverything ? sql`left ${reach}` : reach };
}

const scopes = (isManager: Sql): JsonMember =>
  jsonText(sql`
    case when is_direct then
      case when ${isManager} then '["TEAM_SCOPE_DIRECT_MEMBER","TEAM_SCOPE_MANAGE"]'
           else '["TEAM_SCOPE_DIRECT_MEMBER"]' end
    else case when ${isManager} then '["TEAM_SCOPE_MANAGE"]' else '[]' end end`);

/**
 * Counts for all teams of a page with one index scan, instead of one scan per team. The deployment is given as an
 * array, because with an equality PostgreSQL compares it with the row-level security policy in a separate step for
 * every row.
 */
const counted = (deployment: unknown, { table, team, name }: { table: Sql; team: Sql; name: Sql }): Sql => sql`
  (select ${columnText(team)} as ${name}_teams, ${columnText(sql`count`)} as ${name}_counts from (
    select ${team}, count(*) from ${table}
    where deployment_id = any(array[${deployment}]::bigint[]) and ${team} = any((select list from ids)::bigint[])
    group by ${team}) as counted) as ${name}`;

const counts = sqlTemplate(
  ['deployment'],
  ({ deployment }) => sql`
    ${counted(deployment, { table: sql`team_project`, team: sql`team_id`, name: sql`repository` })},
    ${counted(deployment, { table: sql`team_member`, team: sql`team_id`, name: sql`member` })},
    ${counted(deployment, { table: sql`team`, team: sql`parent_team_id`, name: sql`child` })}`,
);

/** The ids of the page in the order of its lines, by which the counts are looked up. */
const idsOfPage = flatten(columnText(sql`team.id`));

/** One team per line: JSON text contains no line breaks. */
const linesWith = (authorizedScopes: JsonMember): Sql =>
  flatten(
    sql`string_agg(${jsonObject({
      id: unescaped(sql`team.id`),
      name: jsonText(sql`to_json(team.name)::text`),
      slug: unescaped(sql`team.slug`),
      parentTeamId: unescaped(sql`coalesce(team.parent_team_id, 0)`),
      isProjectDefault: flag(sql`team.is_project_default`),
      isUserDefault: flag(sql`team.is_user_default`),
      authorizedScopes,
    })}, chr(10))`,
  );

const linesOfPage = {
  forManagersWithoutTeams: linesWith(fixed(['TEAM_SCOPE_MANAGE'])),
  forManagers: linesWith(scopes(sql`true`)),
  forOthers: linesWith(scopes(sql`is_manager`)),
};

function linesFor(caller: Caller): Sql {
  if (!caller.permissions.has('team:manage')) return linesOfPage.forOthers;
  return isWithoutTeams(caller) ? linesOfPage.forManagersWithoutTeams : linesOfPage.forManagers;
}

/**
 * Teams in name order as JSON text; `name` is an exact match ignoring case. PostgreSQL finds, counts and writes, but
 * the counts are added to their teams here: joining them and sorting again took a quarter of the statement's time.
 * A materialized page is read in the order in which it was built, as long as nothing is joined to it.
 */
export async function listAsJson(
  tx: Tx,
  caller: Caller,
  name: string,
  { after, limit }: PageWindow,
): Promise<TeamPage> {
  const reach = reachJoin(caller);
  const [row = {}] = await tx.rows`
    with page as materialized (
      select team.id, team.name, team.slug, team.parent_team_id,
        team.is_project_default, team.is_user_default, ${reach.columns}
      from team ${reach.join}
      where team.deployment_id = ${caller.deployment}
        ${name === '' ? emptySql : sql`and team.name_key = ${nameKey(name)}`}
        ${after ? sql`and (team.name collate "C", team.id) > (${after[0]}, ${after[1]}::bigint)` : emptySql}
      order by team.name collate "C", team.id
      limit ${limit + 1}::int
    ), ids as materialized (select array(select id from page) as list)
    select * from
      (select ${idsOfPage} as ids, ${linesFor(caller)} as lines from page as team) as teams,
      ${counts({ deployment: caller.deployment })}`;
  const lines = typeof row['lines'] === 'string' ? row['lines'].split('\n') : [];
  const last = lines[limit - 1];
  return {
    items: `[${teamsOf(row, lines.slice(0, limit), caller).join(',')}]`,
    hasMore: lines.length > limit,
    last: last === undefined ? [] : keyOf(last),
  };
}

function keyOf(line: string): string[] {
  const { name, id } = JSON.parse(line) as { name: string; id: string };
  return [name, id];
}

/** Completes the JSON of each team with its counts and its deployment. */
function teamsOf(row: SqlRow, lines: string[], { deployment }: Caller): string[] {
  const ids = parseColumn(row['ids']);
  const repositoriesOf = parseLookup(row['repository_teams'], row['repository_counts']);
  const usersOf = parseLookup(row['member_teams'], row['member_counts']);
  const childrenOf = parseLookup(row['child_teams'], row['child_counts']);
  return lines.map((line, at) => {
    const id = ids[at] ?? '';
    const team = `${line.slice(0, -1)},"deploymentId":"${deployment}"`;
    const counted = `"repositoryCount":"${repositoriesOf.get(id) ?? 0}","userCount":"${usersOf.get(id) ?? 0}"`;
    return `${team},${counted},"childTeamCount":"${childrenOf.get(id) ?? 0}"}`;
  });
}
