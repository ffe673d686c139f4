import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { renderSql, type Sql, type SqlStatement, sql } from '#kernel/db/query/sql.ts';
import type { SqlRow } from '#kernel/db/tx.ts';

export type BaselineKind = 'rows' | 'text';

export interface BaselineOptions {
  kind: BaselineKind;
  connection: pg.ClientConfig;
  pool: number;
  deployment: string;
  limit: number;
}

/** A naive query: one row per team. */
const rowsOf = (deployment: string, limit: number): SqlStatement =>
  renderSql(sql`
    select id, deployment_id as "deploymentId", name, slug, coalesce(parent_team_id, 0) as "parentTeamId",
      (select count(*) from team_project
        where team_project.deployment_id = team.deployment_id and team_project.team_id = team.id) as "repositoryCount",
      (select count(*) from team_member
        where team_member.deployment_id = team.deployment_id and team_member.team_id = team.id) as "userCount",
      (select count(*) from team as child
        where child.deployment_id = team.deployment_id and child.parent_team_id = team.id) as "childTeamCount",
      is_project_default as "isProjectDefault", is_user_default as "isUserDefault",
      array['TEAM_SCOPE_MANAGE'] as "authorizedScopes"
    from team where deployment_id = ${deployment}
    order by name collate "C", id limit ${limit}`);

/** The same reply as JSON built by PostgreSQL. Counting for all teams together is faster than for each. */
function textOf(deployment: string, limit: number): SqlStatement {
  const counted = (table: Sql, team: Sql, name: Sql) => sql`
    left join (
      select ${team} as team_id, count(*) from ${table}
      where deployment_id = ${deployment} and ${team} = any(array(select id from page)) group by ${team}
    ) as ${name} on ${name}.team_id = team.id`;
  return renderSql(sql`
    with page as materialized (
      select id, deployment_id, name, slug, parent_team_id, is_project_default, is_user_default
      from team where deployment_id = ${deployment} order by name collate "C", id limit ${limit})
    select concat('[', string_agg(concat(
        '{"id":"', team.id, '","deploymentId":"', deployment_id, '","name":', to_json(name)::text, ',"slug":"', slug,
        '","parentTeamId":"', coalesce(parent_team_id, 0), '","repositoryCount":"', coalesce(repositories.count, 0),
        '","userCount":"', coalesce(users.count, 0), '","childTeamCount":"', coalesce(children.count, 0),
        '","isProjectDefault":', case when is_project_default then 'true' else 'false' end,
        ',"isUserDefault":', case when is_user_default then 'true' else 'false' end,
        ',"authorizedScopes":["TEAM_SCOPE_MANAGE"]}'), ',' order by name collate "C", team.id), ']') as items
    from page as team
      ${counted(sql`team_project`, sql`team_id`, sql`repositories`)}
      ${counted(sql`team_member`, sql`team_id`, sql`users`)}
      ${counted(sql`team`, sql`parent_team_id`, sql`children`)}`);
}

function send(response: ServerResponse, body: string): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

/** The HTTP server of Node, the driver and the query, without any checks. */
async function serve({ kind, connection, pool: max, deployment, limit }: BaselineOptions): Promise<number> {
  const pool = new pg.Pool({ ...connection, max, idleTimeoutMillis: 0 });
  pool.on('error', () => undefined);
  const statement = (kind === 'rows' ? rowsOf : textOf)(deployment, limit);
  const bodyOf = (rows: SqlRow[]) =>
    kind === 'rows'
      ? JSON.stringify({ teams: rows, cursor: '' })
      : `{"teams":${String(rows[0]?.['items'])},"cursor":""}`;
  const server = createServer((_, response) => {
    pool.query<SqlRow>(statement).then(
      ({ rows }) => send(response, bodyOf(rows)),
      () => response.writeHead(500).end(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Starts a baseline server in its own process. */
export async function startBaselineServer(
  options: BaselineOptions,
): Promise<{ baseUrl: string; pid: number; stop(): void }> {
  const child = fork(fileURLToPath(import.meta.url), ['floor']);
  child.send(options);
  const [port] = (await once(child, 'message')) as [number];
  return { baseUrl: `http://127.0.0.1:${port}`, pid: child.pid ?? 0, stop: () => child.kill() };
}

if (process.argv[2] === 'floor')
  process.once('message', (options: BaselineOptions) => {
    void serve(options).then((port) => process.send?.(port));
    process.once('disconnect', () => process.exit());
  });
