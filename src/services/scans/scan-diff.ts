import { z } from 'zod';
import { SEVERITY_NAMES } from '#domain/findings/shape.ts';
import { id } from '#kernel/contract/proto-fields.ts';
import { type Sql, sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { getScanDiff, type ScanDiff } from './contract.ts';

const MAX_LISTED = 100;

const DiffEntries = getScanDiff.reply.shape.opened;
const DiffRow = z.object({
  previous: id('Scan').optional(),
  opened_count: z.int(),
  fixed_count: z.int(),
  reopened_count: z.int(),
  moved_count: z.int(),
  unchanged_count: z.int(),
  held_count: z.int(),
  opened: DiffEntries,
  fixed: DiffEntries,
  reopened: DiffEntries,
});

/** The most severe of the findings that a subquery selects. */
const worst = (ids: Sql) => sql`
  (select coalesce(jsonb_agg(jsonb_build_object('issueId', found.id::text, 'title', found.title,
      'severity', (${[...SEVERITY_NAMES]}::text[])[found.severity + 1], 'path', found.path, 'line', found.line)
      order by found.severity desc, found.id desc), '[]')
    from (select finding.* from finding where finding.deployment_id = (select current_deployment())
        and finding.id in (${ids})
      order by finding.severity desc, finding.id desc limit ${MAX_LISTED}::int) as found)`;

const findingsOf = (kind: string) => sql`select scan_event.finding_id from scan_event where scan_event.kind = ${kind}`;

const countOf = (kind: string) =>
  sql`(select count(distinct finding_id)::integer from scan_event where kind = ${kind})`;

/** What a scan changed: its events and the findings that it saw first. */
export async function findScanDiff(tx: Tx, deployment: string, scan: string): Promise<ScanDiff> {
  const row = await tx.one(DiffRow)`
    with own as materialized (
      select scan.*, coalesce((select min(batch.at) from finding_batch as batch
        where batch.deployment_id = scan.deployment_id and batch.scan_id = scan.id), scan.started_at) as at
      from scan where scan.deployment_id = ${deployment} and scan.id = ${scan}
    ),
    scan_event as materialized (
      select event.finding_id, event.kind from finding_batch as batch
      join finding_event as event on event.deployment_id = batch.deployment_id and event.batch_id = batch.id
      where batch.deployment_id = ${deployment} and batch.scan_id = ${scan} and batch.kind in ('scan', 'confirmation')
    ),
    opened as materialized (
      select finding.id from finding
      where finding.deployment_id = ${deployment} and finding.project_id = (select project_id from own)
        and finding.relevant_since >= (select at from own) and finding.first_scan_id = ${scan}
    )
    select (select max(before.id) from scan as before, own where before.deployment_id = ${deployment}
        and before.ref_id = own.ref_id and before.analysis_key = own.analysis_key
        and before.status = 'completed' and before.id < own.id) as previous,
      (select count(*)::integer from opened) as opened_count, ${countOf('fixed')} as fixed_count,
      ${countOf('reopened')} as reopened_count, ${countOf('moved')} as moved_count,
      coalesce((select (own.changes->>'unchanged')::integer from own), 0) as unchanged_count,
      (select count(*)::integer from detection
        join analysis on analysis.deployment_id = detection.deployment_id and analysis.id = detection.analysis_id
        where detection.deployment_id = ${deployment} and detection.is_held
          and analysis.ref_id = (select ref_id from own) and detection.changed_scan_id = ${scan}) as held_count,
      ${worst(sql`select id from opened`)} as opened, ${worst(findingsOf('fixed'))} as fixed,
      ${worst(findingsOf('reopened'))} as reopened`;
  if (!row) throw new Error('The diff of a scan has no row.');
  const { previous, opened, fixed, reopened } = row;
  return {
    scanId: scan as ScanDiff['scanId'],
    ...(previous !== undefined && { previousScanId: previous }),
    counts: {
      opened: row.opened_count,
      fixed: row.fixed_count,
      reopened: row.reopened_count,
      moved: row.moved_count,
      unchanged: row.unchanged_count,
      held: row.held_count,
    },
    opened,
    fixed,
    reopened,
  };
}
