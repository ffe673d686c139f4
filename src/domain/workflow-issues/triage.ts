import { z } from 'zod';
import type { Asking } from '#domain/findings/filter.ts';
import { id } from '#kernel/contract/proto.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { remember } from './activity.ts';
import type { Triage } from './rules.ts';
import { WorkflowIssue } from './shape.ts';

/** What was decided about an issue so far. */
export const Decided = z.object({
  id: id('Issue'),
  ...WorkflowIssue.pick({ triageState: true, triageReason: true, triagedAt: true }).shape,
});
export type Decided = z.output<typeof Decided>;

/** Only what is there, as the history and the audit trail keep it. */
export const decidedOf = ({ triageState, triageReason, triagedAt }: Decided) => ({
  triageState,
  ...(triageReason && { triageReason }),
  ...(triagedAt && { triagedAt }),
});

interface Order {
  /** Issues that the transaction holds, and that the decision changes. */
  held: readonly Decided[];
  decision: Triage;
  /** By what it can be undone; absent for what is decided alone. */
  batch?: string;
}

/** Decides about issues, and writes it into the history of each. */
export async function decide(tx: Tx, asking: Asking, { held, decision, batch }: Order): Promise<void> {
  const { caller, now } = asking;
  const { triageState, triageReason } = decision;
  await tx.run`
    update workflow_issue
    set triage_state = ${triageState}, triage_reason = ${triageReason ?? null}, triaged_at = ${now},
        version = version + 1
    where deployment_id = ${caller.deployment} and id = any(${held.map((issue) => issue.id)}::bigint[])`;
  const after = { ...decision, triagedAt: now };
  await remember(
    tx,
    asking,
    held.map((issue) => ({
      ...{ issue: issue.id, before: decidedOf(issue), after, reason: triageReason ?? '' },
      ...(batch !== undefined && { batch }),
    })),
  );
}
