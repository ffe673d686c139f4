import { z } from 'zod';
import { RowId, returnedId } from '#kernel/db/query/row-schemas.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { Ref } from './refs.ts';
import { announceScanEnd } from './scan-ended.ts';

export type ScanMode = 'full' | 'diff' | 'partial';

export interface NewScan {
  deployment: string;
  project: string;
  ref?: string;
  /** The client's id of the run: a repeated id refers to the same scan. */
  requestId?: string;
  source: 'cli' | 'import';
  format: string;
  tool: string;
  analysisKey: string;
  mode: ScanMode;
  products: readonly string[];
  /** If given, only these rules run. */
  partialRuleIds?: readonly string[];
  commit?: string;
  baseCommit?: string;
  environment: string;
  scannerVersion?: string;
  meta: object;
  startedBy: string;
  at: Date;
}

export const StoredScan = z.object({
  id: z.string(),
  project_id: z.string(),
  ref_id: z.string().optional(),
  source: z.enum(['cli', 'import']),
  format: z.string(),
  tool: z.string(),
  analysis_key: z.string(),
  mode: z.enum(['full', 'diff', 'partial']),
  status: z.enum(['pending', 'running', 'completed', 'error', 'cancelled', 'never_finished']),
  products: z.array(z.string()),
  partial_rule_ids: z.array(z.string()).optional(),
  commit: z.string().optional(),
  base_commit: z.string().optional(),
  environment: z.string(),
  scanner_version: z.string().optional(),
  started_at: z.string(),
  completed_at: z.string().optional(),
  exit_code: z.number().optional(),
  total_seconds: z.number().optional(),
  meta: z.record(z.string(), z.unknown()),
  stats: z.record(z.string(), z.unknown()).optional(),
  digest: z.string().optional(),
  found_code: z.number(),
  found_supply_chain: z.number(),
  found_secrets: z.number(),
  changes: z.record(z.string(), z.unknown()).optional(),
});
export type StoredScan = z.output<typeof StoredScan>;

/** Inserts or refreshes a ref. The first scanned branch becomes the default branch of the project. */
export async function recordRef(
  tx: Tx,
  project: { deployment: string; id: string },
  ref: Ref & { at?: Date },
): Promise<string> {
  const row = await tx.one(RowId)`
    insert into project_ref (deployment_id, project_id, ref, kind, seen_at)
    values (${project.deployment}, ${project.id}, ${ref.name}, ${ref.kind}, coalesce(${ref.at ?? null}, now()))
    on conflict (deployment_id, project_id, ref) do update set seen_at = excluded.seen_at, closed_at = null
    returning id`;
  if (ref.kind === 'branch')
    await tx.run`
      update project set default_branch = ${ref.name}
      where deployment_id = ${project.deployment} and id = ${project.id} and default_branch is null`;
  return returnedId(row);
}

/** Inserts a running scan; a repeated request id returns the existing scan. */
export async function start(tx: Tx, scan: NewScan): Promise<string> {
  const row = await tx.one(RowId)`
    insert into scan (deployment_id, project_id, ref_id, request_id, source, format, tool, analysis_key, mode,
      status, products, partial_rule_ids, commit, base_commit, environment, scanner_version, meta, started_by,
      started_at)
    values (${scan.deployment}, ${scan.project}, ${scan.ref ?? null}, ${scan.requestId ?? null}, ${scan.source},
      ${scan.format}, ${scan.tool}, ${scan.analysisKey}, ${scan.mode}, 'running', ${scan.products},
      ${scan.partialRuleIds ?? null}, ${scan.commit ?? null}, ${scan.baseCommit ?? null}, ${scan.environment},
      ${scan.scannerVersion ?? null}, ${JSON.stringify(scan.meta)}::jsonb, ${scan.startedBy}, ${scan.at})
    on conflict (deployment_id, request_id) where request_id is not null do update set request_id = scan.request_id
    returning id`;
  return returnedId(row);
}

export const find = (tx: Tx, deployment: string, id: string): Promise<StoredScan | undefined> =>
  tx.one(StoredScan)`select * from scan where deployment_id = ${deployment} and id = ${id}`;

/** The scan, locked until the end of the transaction, so that concurrent imports of it wait. */
export const lock = (tx: Tx, deployment: string, id: string): Promise<StoredScan | undefined> =>
  tx.one(StoredScan)`select * from scan where deployment_id = ${deployment} and id = ${id} for no key update`;

export async function fail(
  tx: Tx,
  scan: { deployment: string; id: string; exitCode: number; at: Date },
): Promise<void> {
  const count = await tx.run`
    update scan set status = 'error', exit_code = ${scan.exitCode}, completed_at = ${scan.at}
    where deployment_id = ${scan.deployment} and id = ${scan.id} and status in ('pending', 'running')`;
  if (count === 1) await announceScanEnd(tx, { deployment: scan.deployment, scan: scan.id });
}

/** Marks scans that have been running for more than a day as never finished. */
export const markAbandoned = (tx: Tx): Promise<number> =>
  tx.run`
    update scan set status = 'never_finished'
    where status = 'running' and started_at < now() - interval '24 hours'`;
