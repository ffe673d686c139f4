import type { CallerContext } from '#domain/findings/filter/finding-filter.ts';
import type { OpenUndoBatch, RestoreCounts } from '#domain/findings/triage/undo-batch.ts';
import { RowCount, RowId } from '#kernel/db/query/row-schemas.ts';
import { sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { activityActorOf } from './activity.ts';
import { issueIsVisible } from './issue-visibility.ts';

/** A condition on `activity`. */
const ofBatch = ({ caller }: CallerContext, batch: string) =>
  sql`activity.deployment_id = ${caller.deployment} and activity.batch_id = ${batch}::bigint`;

/** A condition on `issue`: the batch decided about it, and the caller may see it. */
const isOfBatch = (context: CallerContext, batch: string) => sql`
  issue.deployment_id = ${context.caller.deployment} and ${issueIsVisible(context.caller)} and issue.id in (
    select activity.issue_id from workflow_issue_activity as activity where ${ofBatch(context, batch)})`;

/** True if the caller may see at least one issue of the batch. */
export async function isVisibleIssueBatch(tx: Tx, context: CallerContext, batch: string): Promise<boolean> {
  const rows = await tx.rows`select from workflow_issue as issue where ${isOfBatch(context, batch)} limit 1`;
  return rows.length > 0;
}

/** The number of issues that a batch changed. */
export async function countChangedIssues(tx: Tx, deployment: string, batch: string): Promise<number> {
  const row = await tx.one(RowCount)`
    select count(*)::integer as count from workflow_issue_activity
    where deployment_id = ${deployment} and batch_id = ${batch}`;
  return row?.count ?? 0;
}

/**
 * Restores the decisions of a batch, unless an issue was decided again since. Issues are locked in the order of
 * identities, as submissions lock them.
 */
export async function undoIssueDecisions(
  tx: Tx,
  context: CallerContext,
  batch: string,
  openBatch: OpenUndoBatch,
): Promise<RestoreCounts> {
  const { caller, now } = context;
  const { deployment } = caller;
  const locked = await tx.all(RowId)`
    select issue.id from workflow_issue as issue where ${isOfBatch(context, batch)}
    order by issue.identity collate "C" for no key update of issue`;
  const ids = locked.map(({ id }) => id);
  const undoable = await tx.all(RowId)`
    select activity.id from workflow_issue_activity as activity
    where ${ofBatch(context, batch)} and activity.issue_id = any(${ids}::bigint[])
      and not exists (select from workflow_issue_activity as later where later.deployment_id = activity.deployment_id
        and later.issue_id = activity.issue_id and later.id > activity.id and later.new_values ? 'triageState')`;
  const skipped = ids.length - undoable.length;
  if (undoable.length === 0) return { undone: 0, skipped };
  const actor = activityActorOf(caller);
  const undoBatch = await openBatch();
  await tx.run`
    with undoable as materialized (
      select activity.* from workflow_issue_activity as activity
      where ${ofBatch(context, batch)} and activity.id = any(${undoable.map(({ id }) => id)}::bigint[])
    ), restored as (
      update workflow_issue as issue
      set triage_state = undoable.old_values->>'triageState', triage_reason = undoable.old_values->>'triageReason',
          triaged_at = (undoable.old_values->>'triagedAt')::timestamptz, version = issue.version + 1
      from undoable where issue.deployment_id = ${deployment} and issue.id = undoable.issue_id
    )
    insert into workflow_issue_activity (deployment_id, issue_id, old_values, new_values, changed_fields, reason,
      actor_type, actor_id, created_at, batch_id)
    select deployment_id, issue_id, new_values, old_values, changed_fields, coalesce(old_values->>'triageReason', ''),
      ${actor.type}, ${actor.id}, ${now}, ${undoBatch}::bigint
    from undoable order by issue_id`;
  return { undone: undoable.length, skipped };
}
