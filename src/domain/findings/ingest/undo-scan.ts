import { z } from 'zod';
import { RowId } from '#kernel/db/query/row-schemas.ts';
import { sql, unestimated } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { updateFindingStates } from '../tracking/finding-state.ts';
import { deleteEpisodes } from '../tracking/pull-request-episodes.ts';
import { lockProject } from './ingest.ts';

export interface UndoScanRequest {
  deployment: string;
  scan: string;
  actor: string;
  at: Date;
}

export interface UndoScanResult {
  /** Findings that the scan had created and that were deleted. */
  withdrawn: number;
  /** Findings whose previous state was restored. */
  restored: number;
}

const ScanProject = z.object({ project_id: z.string() });

/** The analysis whose last scan this is; undefined if a later one exists, or if it was already undone. */
async function lockLastAnalysis(tx: Tx, { deployment, scan }: UndoScanRequest): Promise<string | undefined> {
  const row = await tx.one(ScanProject)`
    select project_id from scan where deployment_id = ${unestimated(deployment)} and id = ${scan}`;
  if (!row) return undefined;
  // Taken before any row lock, as imports do, to avoid deadlocks.
  await lockProject(tx, { deployment, project: row.project_id });
  const last = await tx.one(RowId)`
    select id from analysis where deployment_id = ${unestimated(deployment)}
      and last_scan_id = ${scan} for no key update`;
  return last?.id;
}

/** Restores the detections that the scan changed from its events. */
async function restoreDetections(tx: Tx, { deployment, scan, at }: UndoScanRequest): Promise<number> {
  return tx.run`
    with changed as (
      select distinct on (event.finding_id, event.analysis_id) event.*
      from finding_event as event
      join finding_batch as batch on batch.deployment_id = event.deployment_id and batch.id = event.batch_id
      where event.deployment_id = ${unestimated(deployment)} and batch.scan_id = ${scan} and batch.undone_at is null
        and event.kind in ('fixed', 'removed', 'reopened', 'redetected', 'moved', 'held')
      order by event.finding_id, event.analysis_id, event.id
    )
    update detection set state = coalesce(changed.before->>'state', detection.state),
      reason = changed.before->>'reason',
      path = coalesce(changed.before->>'path', detection.path),
      end_line = detection.end_line + coalesce((changed.before->>'line')::integer, detection.line) - detection.line,
      line = coalesce((changed.before->>'line')::integer, detection.line), is_held = false,
      changed_at = ${at}, changed_scan_id = ${scan}
    from changed
    where detection.deployment_id = ${unestimated(deployment)} and detection.analysis_id = changed.analysis_id
      and detection.finding_id = changed.finding_id`;
}

/** Reverts the reopen count. */
async function revertReopenCounts(tx: Tx, { deployment, scan }: UndoScanRequest): Promise<void> {
  await tx.run`
    update finding set reopened_count = greatest(0, reopened_count - 1)
    from finding_event as event
    join finding_batch as batch on batch.deployment_id = event.deployment_id and batch.id = event.batch_id
    where event.deployment_id = ${unestimated(deployment)} and batch.scan_id = ${scan} and batch.undone_at is null
      and event.kind = 'reopened' and finding.deployment_id = ${unestimated(deployment)}
        and finding.id = event.finding_id`;
}

/** Restores the location of findings from their detection on the primary ref. */
async function restoreLocations(tx: Tx, { deployment, scan }: UndoScanRequest, analysis: string): Promise<void> {
  await tx.run`
    update finding set path = detection.path, line = detection.line, end_line = detection.end_line,
      version = finding.version + 1
    from detection
    join finding_event as event on event.deployment_id = detection.deployment_id
      and event.finding_id = detection.finding_id and event.analysis_id = detection.analysis_id
    join finding_batch as batch on batch.deployment_id = event.deployment_id and batch.id = event.batch_id
    where detection.deployment_id = ${unestimated(deployment)} and detection.analysis_id = ${analysis}
      and batch.scan_id = ${scan} and batch.undone_at is null and finding.deployment_id = ${unestimated(deployment)}
      and finding.id = detection.finding_id and finding.path = event.after->>'path'
      and finding.line = (event.after->>'line')::integer`;
}

/** Removes detections that the scan was the first to report, and deletes their findings unless they were triaged. */
async function withdrawFindings(tx: Tx, { deployment, scan, at }: UndoScanRequest): Promise<number> {
  await tx.run`
    update detection set state = 'removed', reason = 'scan_undone', changed_at = ${at}, changed_scan_id = ${scan}
    where deployment_id = ${unestimated(deployment)} and first_scan_id = ${scan} and state <> 'removed'`;
  const deleted = await tx.all(RowId)`
    delete from finding where deployment_id = ${unestimated(deployment)} and first_scan_id = ${scan}
      and triage_state = 'untriaged'
      and not exists (select from detection where detection.deployment_id = finding.deployment_id
        and detection.finding_id = finding.id and detection.first_scan_id <> ${scan})
    returning id`;
  await deleteEpisodes(
    tx,
    deployment,
    deleted.map(({ id }) => id),
  );
  return deleted.length;
}

/** Undoes a scan if it is the last one of its analysis: findings return to their previous state. */
export async function undoScan(tx: Tx, request: UndoScanRequest): Promise<UndoScanResult | undefined> {
  const { deployment, scan, actor, at } = request;
  const analysis = await lockLastAnalysis(tx, request);
  if (analysis === undefined) return undefined;
  const touched = sql`select detection.finding_id from detection
    where detection.deployment_id = ${unestimated(deployment)} and detection.changed_scan_id = ${scan}`;
  await revertReopenCounts(tx, request);
  const restored = await restoreDetections(tx, request);
  const withdrawn = await withdrawFindings(tx, request);
  await restoreLocations(tx, request, analysis);
  await updateFindingStates(tx, deployment, { touched, at, isNews: false });
  await tx.run`
    with undone as (
      update finding_batch set undone_at = ${at}, undone_by = ${actor}
      where deployment_id = ${unestimated(deployment)} and scan_id = ${scan} and undone_at is null returning id
    ),
    batch as (
      insert into finding_batch (deployment_id, kind, scan_id, actor, at)
      values (${deployment}, 'undo', ${scan}, ${actor}, ${at}) returning id
    )
    insert into finding_event (deployment_id, finding_id, batch_id, analysis_id, kind, at)
    select distinct ${deployment}::bigint, event.finding_id, batch.id, event.analysis_id, 'undone', ${at}::timestamptz
    from batch, undone
    join finding_event as event on event.deployment_id = ${unestimated(deployment)} and event.batch_id = undone.id`;
  await tx.run`
    update analysis set digest = null, ruleset_digest = null, last_scan_id = (
      select max(scan.id) from scan where scan.deployment_id = ${unestimated(deployment)}
        and scan.ref_id = analysis.ref_id
        and scan.analysis_key = analysis.key and scan.status = 'completed' and scan.id < ${scan})
    where deployment_id = ${unestimated(deployment)} and id = ${analysis}`;
  await tx.run`update scan set status = 'cancelled' where deployment_id = ${unestimated(deployment)} and id = ${scan}`;
  return { withdrawn, restored };
}
