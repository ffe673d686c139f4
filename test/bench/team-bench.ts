import type pg from 'pg';
import { Installation, type Run, type RunOptions } from '#test/faults/installation.ts';
import { urlOf } from '#test/support/world/database.ts';

const TEAMS = 500;
const PROJECTS_OF_TEAM = 10;
const MEMBERS_OF_TEAM = 5;

export interface TeamBench {
  baseUrl: string;
  program: Run;
  postmaster: number;
  /** As owner, without row-level security. */
  connection: pg.ClientConfig;
  deployment: string;
  /** Starts another server on the same database. */
  startAnother(): Promise<Run>;
  listRequest(limit: number): { method: string; path: string; headers: Record<string, string>; body: string };
  close(): Promise<void>;
}

/** The real program with one deployment of 500 teams, each with projects and members. */
export async function startTeamBench(options: RunOptions = {}): Promise<TeamBench> {
  const installation = await Installation.make();
  const program = await installation.start(options);
  const others: Run[] = [];
  const running = await installation.postmaster();
  if (!running) throw new Error('PostgreSQL is not running.');
  const [found] = await installation.query<{ id: string }>('select id from deployment');
  const deployment = String(found?.id);
  for (const statement of fill) await installation.query(statement, [deployment]);
  await installation.query('vacuum analyze');
  const token = await installation.token();
  return {
    baseUrl: program.baseUrl,
    program,
    postmaster: running.pid,
    connection: running.connection,
    deployment,
    startAnother: async () => {
      const settings = { ...options.settings, PARAPET_DATABASE_URL: urlOf(running.connection) };
      const another = await installation.start({ ...options, settings });
      others.push(another);
      return another;
    },
    listRequest: (limit) => ({
      method: 'POST',
      path: `/api/permissions/v2/deployments/${deployment}/teams/list`,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ limit: String(limit) }),
    }),
    close: async () => {
      for (const run of [...others, program]) await run.end('SIGTERM');
      await installation.remove();
    },
  };
}

const fill = [
  `insert into project (deployment_id, name, name_key)
   select $1, 'acme/service-' || n, 'acme/service-' || n from generate_series(1, 300) as n`,
  `insert into account (email, email_key, name)
   select 'person' || n || '@example.com', 'person' || n || '@example.com', 'Person ' || n
   from generate_series(1, 200) as n where $1::bigint is not null`,
  `insert into membership (deployment_id, account_id, role)
   select $1, id, 'ORG_ROLE_MEMBER' from account where email like 'person%'`,
  `insert into team (deployment_id, name, name_key, slug)
   select $1, 'Team number ' || n, 'team number ' || n, 'team-number-' || n from generate_series(1, ${TEAMS}) as n`,
  `insert into team_project (deployment_id, team_id, project_id)
   select $1, team.id, picked.id from team cross join lateral (
     select id from project where deployment_id = $1 order by hashint8(project.id * 1000 + team.id)
     limit ${PROJECTS_OF_TEAM}) as picked
   where team.deployment_id = $1 and team.slug like 'team-number-%'`,
  `insert into team_member (deployment_id, team_id, account_id, role)
   select $1, team.id, picked.account_id, 'TEAM_ROLE_MEMBER' from team cross join lateral (
     select account_id from membership where deployment_id = $1 order by hashint8(account_id * 1000 + team.id)
     limit ${MEMBERS_OF_TEAM}) as picked
   where team.deployment_id = $1 and team.slug like 'team-number-%'`,
];
