import { z } from 'zod';
import { refOf } from '#domain/scans/refs.ts';
import { projectIsVisible } from '#domain/teams/reach.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import type { Window } from '#kernel/db/page.ts';
import { nothing, type Sql, sql } from '#kernel/db/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { Wanted } from './rules.ts';

const Row = z.object({
  id: z.string(),
  project_id: z.string(),
  branch_id: z.string().optional(),
  ref: z.string().optional(),
  commit: z.string().optional(),
  mode: z.string(),
  status: z.string(),
  products: z.array(z.string()),
  started_at: z.string(),
  completed_at: z.string().optional(),
  exit_code: z.number().optional(),
  total_seconds: z.number().optional(),
  found_code: z.number(),
  found_supply_chain: z.number(),
  found_secrets: z.number(),
  environment: z.string(),
  scanner_version: z.string().optional(),
});
export type Row = z.output<typeof Row>;

/** How long a scan took: as the scanner says, else by the clock. */
const seconds: Sql = sql`
  coalesce(scan.total_seconds, extract(epoch from scan.completed_at - scan.started_at)::double precision)`;

const columns: Sql = sql`
  scan.id, scan.project_id, scan.branch_id, project_branch.ref, scan.commit, scan.mode, scan.status, scan.products,
  scan.started_at, scan.completed_at, scan.exit_code, ${seconds} as total_seconds, scan.found_code,
  scan.found_supply_chain, scan.found_secrets, scan.environment, scan.scanner_version`;

const relations: Sql = sql`
  join project on project.deployment_id = scan.deployment_id and project.id = scan.project_id
  left join project_branch on project_branch.deployment_id = scan.deployment_id and project_branch.id = scan.branch_id`;

function conditionsOf({ project, branch, since, ...wanted }: Wanted): Sql {
  const { min, max } = wanted.seconds;
  return sql`scan.started_at >= ${since}
    ${project === undefined ? nothing : sql`and scan.project_id = ${project}`}
    ${
      branch === undefined
        ? nothing
        : sql`and scan.branch_id in (select named.id from project_branch as named
            where named.deployment_id = scan.deployment_id and named.ref = ${refOf(branch).name})`
    }
    ${min === undefined ? nothing : sql`and ${seconds} >= ${min}::double precision`}
    ${max === undefined ? nothing : sql`and ${seconds} <= ${max}::double precision`}
    ${wanted.products.length === 0 ? nothing : sql`and scan.products && ${wanted.products}::text[]`}
    ${wanted.statuses.length === 0 ? nothing : sql`and scan.status = any(${wanted.statuses}::text[])`}
    ${wanted.isFull === undefined ? nothing : sql`and (scan.mode = 'full') = ${wanted.isFull}::boolean`}`;
}

/** A page of the scans that the caller sees, newest first. */
export function list(tx: Tx, caller: Caller, { wanted, window }: { wanted: Wanted; window: Window }): Promise<Row[]> {
  const [at, id] = window.after ?? [];
  const start = at === undefined ? nothing : sql`and (scan.started_at, scan.id) < (${at}::timestamptz, ${id}::bigint)`;
  return tx.all(Row)`
    select ${columns} from scan ${relations}
    where scan.deployment_id = ${caller.deployment} and ${conditionsOf(wanted)} ${start}
      and ${projectIsVisible(caller)}
    order by scan.started_at desc, scan.id desc limit ${window.limit + 1}`;
}

export const find = (tx: Tx, deployment: string, id: string): Promise<Row | undefined> =>
  tx.one(Row)`select ${columns} from scan ${relations} where scan.deployment_id = ${deployment} and scan.id = ${id}`;

const Told = Row.extend({
  project_name: z.string(),
  project_url: z.string().optional(),
  meta: z.record(z.string(), z.unknown()),
  stats: z.record(z.string(), z.unknown()).optional(),
});
export type Told = z.output<typeof Told>;

/** The scan with all that its scanner told about it. */
export const findTold = (tx: Tx, deployment: string, id: string): Promise<Told | undefined> =>
  tx.one(Told)`
    select ${columns}, project.name as project_name, project.url as project_url, scan.meta, scan.stats
    from scan ${relations} where scan.deployment_id = ${deployment} and scan.id = ${id}`;

/** Of these scans those that the caller sees, by their ids. */
export async function sources(
  tx: Tx,
  caller: Caller,
  ids: readonly string[],
): Promise<Map<string, { project: string; source: string }>> {
  const rows = await tx.rows`
    select scan.id, scan.project_id, scan.source from scan
    join project on project.deployment_id = scan.deployment_id and project.id = scan.project_id
    where scan.deployment_id = ${caller.deployment} and scan.id = any(${ids}::bigint[])
      and ${projectIsVisible(caller)}`;
  return new Map(
    rows.map((row) => [String(row['id']), { project: String(row['project_id']), source: String(row['source']) }]),
  );
}

export async function projectIsThere(tx: Tx, caller: Caller, id: string): Promise<boolean> {
  const rows = await tx.rows`
    select from project
    where project.deployment_id = ${caller.deployment} and project.id = ${id} and ${projectIsVisible(caller)}`;
  return rows.length === 1;
}
