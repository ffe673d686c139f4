import { z } from 'zod';
import { heldClosingsSql } from '#domain/findings/ingest/held-closings.ts';
import { parseRef } from '#domain/scans/refs.ts';
import { projectVisibilitySql } from '#domain/teams/visibility.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import type { PageWindow } from '#kernel/db/query/page.ts';
import { emptySql, type Sql, sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { listHeldClosings as heldClosingsOperation, MAX_HELD_SCANS } from './contract.ts';
import type { ScanQuery } from './rules.ts';

const ScanRow = z.object({
  id: z.string(),
  project_id: z.string(),
  ref_id: z.string().optional(),
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
export type ScanRow = z.output<typeof ScanRow>;

/** The duration as reported by the scanner, else the time between start and completion. */
const seconds: Sql = sql`
  coalesce(scan.total_seconds, extract(epoch from scan.completed_at - scan.started_at)::double precision)`;

const columns: Sql = sql`
  scan.id, scan.project_id, scan.ref_id, project_ref.ref, scan.commit, scan.mode, scan.status, scan.products,
  scan.started_at, scan.completed_at, scan.exit_code, ${seconds} as total_seconds, scan.found_code,
  scan.found_supply_chain, scan.found_secrets, scan.environment, scan.scanner_version`;

const relations: Sql = sql`
  join project on project.deployment_id = scan.deployment_id and project.id = scan.project_id
  left join project_ref on project_ref.deployment_id = scan.deployment_id and project_ref.id = scan.ref_id`;

function conditionsOf({ project, ref, since, ...query }: ScanQuery): Sql {
  const { min, max } = query.seconds;
  return sql`scan.started_at >= ${since}
    ${project === undefined ? emptySql : sql`and scan.project_id = ${project}`}
    ${
      ref === undefined
        ? emptySql
        : sql`and scan.ref_id in (select matching.id from project_ref as matching
            where matching.deployment_id = scan.deployment_id and matching.ref = ${parseRef(ref).name})`
    }
    ${min === undefined ? emptySql : sql`and ${seconds} >= ${min}::double precision`}
    ${max === undefined ? emptySql : sql`and ${seconds} <= ${max}::double precision`}
    ${query.products.length === 0 ? emptySql : sql`and scan.products && ${query.products}::text[]`}
    ${query.statuses.length === 0 ? emptySql : sql`and scan.status = any(${query.statuses}::text[])`}
    ${query.isFull === undefined ? emptySql : sql`and (scan.mode = 'full') = ${query.isFull}::boolean`}`;
}

/** One page of visible scans, newest first. */
export function list(
  tx: Tx,
  caller: Caller,
  { query, window }: { query: ScanQuery; window: PageWindow },
): Promise<ScanRow[]> {
  const [at, id] = window.after ?? [];
  const start = at === undefined ? emptySql : sql`and (scan.started_at, scan.id) < (${at}::timestamptz, ${id}::bigint)`;
  return tx.all(ScanRow)`
    select ${columns} from scan ${relations}
    where scan.deployment_id = ${caller.deployment} and ${conditionsOf(query)} ${start}
      and ${projectVisibilitySql(caller)}
    order by scan.started_at desc, scan.id desc limit ${window.limit + 1}`;
}

export const find = (tx: Tx, deployment: string, id: string): Promise<ScanRow | undefined> =>
  tx.one(
    ScanRow,
  )`select ${columns} from scan ${relations} where scan.deployment_id = ${deployment} and scan.id = ${id}`;

const ScanRowWithMeta = ScanRow.extend({
  project_name: z.string(),
  project_url: z.string().optional(),
  meta: z.record(z.string(), z.unknown()),
  stats: z.record(z.string(), z.unknown()).optional(),
});
export type ScanRowWithMeta = z.output<typeof ScanRowWithMeta>;

/** The scan with the metadata that its scanner sent. */
export const findWithMeta = (tx: Tx, deployment: string, id: string): Promise<ScanRowWithMeta | undefined> =>
  tx.one(ScanRowWithMeta)`
    select ${columns}, project.name as project_name, project.url as project_url, scan.meta, scan.stats
    from scan ${relations} where scan.deployment_id = ${deployment} and scan.id = ${id}`;

const SourceRow = z.object({ id: z.string(), project_id: z.string(), source: z.string() });

/** The project and source of each visible scan by id. */
export async function listSources(
  tx: Tx,
  caller: Caller,
  ids: readonly string[],
): Promise<Map<string, { project: string; source: string }>> {
  const rows = await tx.all(SourceRow)`
    select scan.id, scan.project_id, scan.source from scan
    join project on project.deployment_id = scan.deployment_id and project.id = scan.project_id
    where scan.deployment_id = ${caller.deployment} and scan.id = any(${ids}::bigint[])
      and ${projectVisibilitySql(caller)}`;
  return new Map(rows.map(({ id, project_id: project, source }) => [id, { project, source }]));
}

export async function isProjectVisible(tx: Tx, caller: Caller, id: string): Promise<boolean> {
  const rows = await tx.rows`
    select from project
    where project.deployment_id = ${caller.deployment} and project.id = ${id} and ${projectVisibilitySql(caller)}`;
  return rows.length === 1;
}

const HeldScan = heldClosingsOperation.reply.shape.scans.element;

/** The scans of a project whose closings wait for confirmation, newest first. */
export const listHeldClosings = (tx: Tx, caller: Caller, project: string): Promise<z.output<typeof HeldScan>[]> =>
  tx.all(HeldScan)`
    select scan_id as "scanId", ref, at, count from (${heldClosingsSql(caller)}) as held
    where project_id = ${project} order by at desc, scan_id desc limit ${MAX_HELD_SCANS}::int`;
