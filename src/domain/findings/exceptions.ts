import type { Tx } from '#kernel/db/tx.ts';
import { actorOf } from './decisions.ts';
import type { Asking } from './filter.ts';
import type { TriageReason, TriageState } from './shape.ts';

interface Wish {
  /** Held by the caller. */
  findings: readonly string[];
  decision: { state?: TriageState; reason?: TriageReason; note?: string; until?: Date };
}

/** Asks for findings to be ignored, where that needs an approval; those that are, or wait for one, are passed over. */
export async function request(tx: Tx, { caller, now }: Asking, { findings, decision }: Wish): Promise<number> {
  return tx.run`
    insert into exception_request (deployment_id, finding_id, state, source, requester, requester_name, reason, note,
      created_at, until)
    select ${caller.deployment}, finding.id, 'requested', ${caller.kind === 'user' ? 'platform' : 'api'},
      ${actorOf(caller)}, ${caller.name}, ${decision.reason ?? null}, ${decision.note ?? ''}, ${now},
      ${decision.until ?? null}::timestamptz
    from finding
    where finding.deployment_id = ${caller.deployment} and finding.id = any(${findings}::bigint[])
      and finding.triage_state <> 'ignored'
      and not exists (select from exception_request as waiting where waiting.deployment_id = finding.deployment_id
        and waiting.finding_id = finding.id and waiting.state = 'requested')
    order by finding.id`;
}

/** Who may ignore answers requests by what they decide: ignored is yes, to be fixed or open again is no. */
export async function review(tx: Tx, { caller, now }: Asking, { findings, decision }: Wish): Promise<number> {
  if (decision.state === 'reviewing' || decision.state === 'provisionally_ignored') return 0;
  return tx.run`
    update exception_request set state = ${decision.state === 'ignored' ? 'approved' : 'rejected'},
      reviewer = ${actorOf(caller)}, reviewer_name = ${caller.name}, reviewed_at = ${now}
    where deployment_id = ${caller.deployment} and finding_id = any(${findings}::bigint[]) and state = 'requested'`;
}
