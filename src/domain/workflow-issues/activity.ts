import type { Caller } from '#kernel/auth/caller.ts';
import type { Tx } from '#kernel/db/tx.ts';

export interface WorkflowIssueChange {
  issue: string;
  before: Record<string, unknown>;
  after: Record<string, unknown>;
  reason: string;
  /** The batch of decisions that can be undone; absent for a single decision. */
  batch?: string;
}

type Actor = Pick<Caller, 'kind' | 'userId' | 'credential'>;

/** The actor as recorded in the history; a token is a service, whoever created it. */
export const activityActorOf = ({ kind, userId, credential }: Actor): { type: string; id: string } =>
  kind === 'user' ? { type: 'ACTOR_TYPE_USER', id: userId } : { type: 'ACTOR_TYPE_SERVICE', id: credential };

/** Records who changed what. */
export async function recordActivity(
  tx: Tx,
  { caller, now }: { caller: Caller; now: Date },
  changes: readonly WorkflowIssueChange[],
): Promise<void> {
  const rows = changes.map(({ issue, before, after, reason, batch }) => ({
    issue_id: issue,
    old_values: before,
    new_values: after,
    changed_fields: [...new Set([...Object.keys(before), ...Object.keys(after)])].join(','),
    reason,
    batch_id: batch ?? null,
  }));
  const actor = activityActorOf(caller);
  await tx.run`
    insert into workflow_issue_activity (deployment_id, issue_id, old_values, new_values, changed_fields, reason,
      actor_type, actor_id, created_at, batch_id)
    select ${caller.deployment}, issue_id, old_values, new_values, changed_fields, reason,
      ${actor.type}, ${actor.id}, ${now}, batch_id
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as row (issue_id bigint, old_values jsonb,
      new_values jsonb, changed_fields text, reason text, batch_id bigint)`;
}
