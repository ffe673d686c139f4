import { z } from 'zod';
import type { CallerContext } from '#domain/findings/filter/finding-filter.ts';
import { id } from '#kernel/contract/proto-fields.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { recordActivity } from './activity.ts';
import type { WorkflowTriage } from './rules.ts';
import { WorkflowIssue } from './shape.ts';

/** The current triage of an issue. */
export const DecidedIssue = z.object({
  id: id('Issue'),
  ...WorkflowIssue.pick({ triageState: true, triageReason: true, triagedAt: true }).shape,
});
export type DecidedIssue = z.output<typeof DecidedIssue>;

/** Only the fields that are set, as stored in the history and the audit trail. */
export const triageFieldsOf = ({ triageState, triageReason, triagedAt }: DecidedIssue) => ({
  triageState,
  ...(triageReason && { triageReason }),
  ...(triagedAt && { triagedAt }),
});

interface IssueDecision {
  /** Locked issues that the decision changes. */
  held: readonly DecidedIssue[];
  decision: WorkflowTriage;
  /** The batch that can be undone; absent for a single decision. */
  batch?: string;
}

/** Decides about issues, and records it in the history of each. */
export async function decideIssues(
  tx: Tx,
  context: CallerContext,
  { held, decision, batch }: IssueDecision,
): Promise<void> {
  const { caller, now } = context;
  const { triageState, triageReason } = decision;
  await tx.run`
    update workflow_issue
    set triage_state = ${triageState}, triage_reason = ${triageReason ?? null}, triaged_at = ${now},
        version = version + 1
    where deployment_id = ${caller.deployment} and id = any(${held.map((issue) => issue.id)}::bigint[])`;
  const after = { ...decision, triagedAt: now };
  await recordActivity(
    tx,
    context,
    held.map((issue) => ({
      ...{ issue: issue.id, before: triageFieldsOf(issue), after, reason: triageReason ?? '' },
      ...(batch !== undefined && { batch }),
    })),
  );
}
