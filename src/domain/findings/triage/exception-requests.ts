import { RowId } from '#kernel/db/query/row-schemas.ts';
import { unestimated } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { CallerContext } from '../filter/finding-filter.ts';
import type { TriageReason, TriageState } from '../shape.ts';
import { actorOf } from './decisions.ts';

interface ExceptionDecision {
  /** Locked by the caller. */
  findings: readonly string[];
  decision: { state?: TriageState; reason?: TriageReason; note?: string; until?: Date };
}

/**
 * Requests that findings be ignored, where that needs approval; findings that are ignored or already requested are
 * skipped.
 */
export async function requestExceptions(
  tx: Tx,
  { caller, now }: CallerContext,
  { findings, decision }: ExceptionDecision,
): Promise<number> {
  return tx.run`
    insert into exception_request (deployment_id, finding_id, state, source, requester, requester_name, reason, note,
      created_at, until)
    select ${caller.deployment}, finding.id, 'requested', ${caller.kind === 'user' ? 'platform' : 'api'},
      ${actorOf(caller)}, ${caller.name}, ${decision.reason ?? null}, ${decision.note ?? ''}, ${now},
      ${decision.until ?? null}::timestamptz
    from finding
    where finding.deployment_id = ${unestimated(caller.deployment)} and finding.id = any(${findings}::bigint[])
      and finding.triage_state <> 'ignored'
      and not exists (select from exception_request as pending where pending.deployment_id = finding.deployment_id
        and pending.finding_id = finding.id and pending.state = 'requested')
    order by finding.id`;
}

interface ExceptionReview extends ExceptionDecision {
  /** The batch that can be undone; undefined if the findings were not changed. */
  batch: string | undefined;
}

/**
 * Decisions of callers who may ignore findings answer open requests: ignoring approves them, fixing or reopening
 * rejects them.
 */
export async function reviewExceptions(
  tx: Tx,
  { caller, now }: CallerContext,
  { findings, decision, batch }: ExceptionReview,
): Promise<void> {
  const { state } = decision;
  if (state === undefined || state === 'reviewing' || state === 'provisionally_ignored') return;
  await tx.run`
    update exception_request set state = ${state === 'ignored' ? 'approved' : 'rejected'},
      reviewer = ${actorOf(caller)}, reviewer_name = ${caller.name}, reviewed_at = ${now},
      batch_id = ${batch ?? null}::bigint
    where deployment_id = ${unestimated(caller.deployment)} and finding_id = any(${findings}::bigint[])
      and state = 'requested'`;
}

interface ExceptionRestore {
  findings: readonly string[];
  /** The undone batch, and the batch that undid it. */
  undone: string;
  batch: string;
}

/** Reopens requests whose review was undone; if undoing restores an ignored state, it restores the approval too. */
export async function restoreExceptions(
  tx: Tx,
  context: CallerContext,
  { findings, undone, batch }: ExceptionRestore,
): Promise<void> {
  const { deployment } = context.caller;
  await tx.run`
    update exception_request set state = 'requested', reviewer = null, reviewer_name = null, reviewed_at = null,
      review_note = null, batch_id = null
    where deployment_id = ${unestimated(deployment)} and finding_id = any(${findings}::bigint[])
      and batch_id = ${undone}
      and not exists (select from exception_request as pending where pending.deployment_id = ${unestimated(deployment)}
        and pending.finding_id = exception_request.finding_id and pending.state = 'requested')`;
  const ignored = await tx.all(RowId)`
    select id from finding
    where deployment_id = ${unestimated(deployment)} and id = any(${findings}::bigint[]) and triage_state = 'ignored'`;
  const ids = ignored.map(({ id }) => id);
  await reviewExceptions(tx, context, { findings: ids, decision: { state: 'ignored' }, batch });
}
