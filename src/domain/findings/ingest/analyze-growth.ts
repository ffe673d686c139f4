import type pg from 'pg';
import { analyzeTables } from '#kernel/db/analyze-tables.ts';
import { RowExists } from '#kernel/db/query/row-schemas.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { type JobHandler, jobHandler } from '#kernel/jobs/handler.ts';
import { enqueue, job } from '#kernel/jobs/job.ts';

const MIN_NEW_FINDINGS = 1000;
/** Compared with the findings that the planner knows, and with those that the deployment had. */
const MIN_GROWTH = 0.2;

const analyze = job({ kind: 'finding.analyze', payload: {}, maxAttempts: 3 });

/** Columns with long texts are left to autovacuum. */
const TABLES = {
  finding: [
    'deployment_id, id, project_id, product, tool, rule, severity, confidence, category, state, status, triage_state',
    'first_scan_id, first_seen_at, relevant_since, fixed_at, is_muted, is_held',
  ].join(', '),
  detection: 'deployment_id, id, analysis_id, finding_id, state, is_held, changed_scan_id',
  fingerprint: 'deployment_id, project_id, digest, finding_id, kind',
};

/**
 * Has the statistics of the tables of findings updated if this import made them, or the part of its deployment, much
 * larger. Autovacuum would do the former about a minute later, until which statements that were prepared for nearly
 * empty tables would run into the timeout; the latter not before all deployments together have grown by a tenth.
 */
export async function analyzeAfterGrowth(tx: Tx, deployment: string, opened: number): Promise<void> {
  if (opened < MIN_NEW_FINDINGS) return;
  const most = Math.floor(opened / MIN_GROWTH);
  const row = await tx.one(RowExists)`
    select exists (select from pg_class where oid = 'finding'::regclass and ${most}::float8 > reltuples)
      or (select count(*) from (
        select from finding where deployment_id = ${deployment}
          limit ${opened + most}) as own) < ${opened + most}::bigint
      as is_any`;
  if (row?.is_any) await enqueue(tx, analyze, { deployment, payload: {}, uniqueKey: 'analyze' });
}

/** Only the owner of the tables may analyze them. */
export const analyzeHandler = (owner: pg.ClientConfig): JobHandler =>
  jobHandler(analyze, () => analyzeTables(owner, TABLES));
