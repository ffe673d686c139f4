import { z } from 'zod';
import type { CallerContext } from '#domain/findings/filter/finding-filter.ts';
import { id } from '#kernel/contract/proto-fields.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { recordActivity } from './activity.ts';
import type { WorkflowTriage } from './rules.ts';
import { WorkflowIssue } from './shape.ts';

/** What was decided about an issue so far. */
export const DecidedIssue = z.object({
  id: id('Issue'),
  ...WorkflowIssue.pick({ triageState: true, triageReason: true, triagedAt: true }).shape,
});
export type DecidedIssue = z.output<typeof DecidedIssue>;

/** Only what is there, as the history and the audit trail keep it. */
export const triageFieldsOf = ({ triageState, triageReason, triagedAt }: DecidedIssue) => ({
  triageState,
  ...(triageReason && { triageReason }),
  ...(triagedAt && { triagedAt }),
});

interface Order {
  /** Issues that the transaction holds, and that the decision changes. */
  held: readonly DecidedIssue[];
  decision: WorkflowTriage;
  /** By what it can be undone; absent for what is decided alone. */
  batch?: string;
}

/** Decides about issues, and writes it into the history of each. */
export async function decideIssues(tx: Tx, asking: CallerContext, { held, decision, batch }: Order): Promise<void> {
  const { caller, now } = asking;
  const { triageState, triageReason } = decision;
  await tx.run`
    update workflow_issue
    set triage_state = ${triageState}, triage_reason = ${triageReason ?? null}, triaged_at = ${now},
        version = version + 1
    where deployment_id = ${caller.deployment} and id = any(${held.map((issue) => issue.id)}::bigint[])`;
  const after = { ...decision, triagedAt: now };
  await recordActivity(
    tx,
    asking,
    held.map((issue) => ({
      ...{ issue: issue.id, before: triageFieldsOf(issue), after, reason: triageReason ?? '' },
      ...(batch !== undefined && { batch }),
    })),
  );
}
