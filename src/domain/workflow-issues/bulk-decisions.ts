import type { CallerContext, FindingFilter } from '#domain/findings/filter/finding-filter.ts';
import type { BulkPosition, BulkRoundCounts } from '#domain/findings/triage/bulk-triage.ts';
import { RowId } from '#kernel/db/query/row-schemas.ts';
import { type Sql, sql, unprepared } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { DecidedIssue, decideIssues } from './decide-issues.ts';
import { issueFilterSql } from './issue-conditions.ts';
import { isNewDecision, type WorkflowTriage } from './rules.ts';

/** A condition on `issue`: it existed when the snapshot was taken. */
export const isInSnapshot = (snapshot: string): Sql => sql`issue.snapshot_id <= ${snapshot}::bigint`;

/** A subquery of the highest snapshot id. */
export const newestSnapshotId = (deployment: string): Sql =>
  sql`select coalesce(max(issue.snapshot_id), 0) from workflow_issue as issue
    where issue.deployment_id = ${deployment}`;

interface IssueBulkOrder {
  batch: string;
  filter: FindingFilter;
  decision: WorkflowTriage;
  snapshot: string;
}

/**
 * Decides about the next issues of a batch in id order. They are locked in the order of identities, as submissions lock
 * them, to avoid deadlocks; those that no longer match by then are left out.
 */
export async function decideNextIssues(
  tx: Tx,
  context: CallerContext,
  { batch, filter, decision, snapshot }: IssueBulkOrder,
  { after, limit }: BulkPosition,
): Promise<BulkRoundCounts> {
  const condition = unprepared(sql`${issueFilterSql(filter, context)} and ${isInSnapshot(snapshot)}`);
  const rows = await tx.all(RowId)`
    select issue.id from workflow_issue as issue
    where ${condition} and issue.id > ${after}::bigint order by issue.id limit ${limit}::int`;
  const picked = rows.map(({ id }) => id);
  if (picked.length === 0) return { picked: 0, done: 0, lastId: after };
  const locked = await tx.all(DecidedIssue)`
    select issue.id, issue.triage_state as "triageState", issue.triage_reason as "triageReason",
      issue.triaged_at as "triagedAt"
    from workflow_issue as issue
    where ${condition} and issue.id = any(${picked}::bigint[])
    order by issue.identity collate "C" for no key update of issue`;
  const changing = locked.filter((issue) => isNewDecision(issue, decision));
  if (changing.length > 0) await decideIssues(tx, context, { held: changing, decision, batch });
  return { picked: picked.length, done: changing.length, lastId: picked.at(-1) ?? after };
}
