import { RowId } from '#kernel/db/query/row-schemas.ts';
import { unestimated } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { StoredAutomation } from '../store.ts';

export interface NewRun {
  deployment: string;
  automation: StoredAutomation;
  /** `batch`, `existing` or `manual`. */
  cause: string;
  batch?: string | undefined;
  startedBy: string;
  at: Date;
  considered: number;
}

/** Opens the record of a run; undefined if this automation has already considered the batch. */
export async function openRun(tx: Tx, run: NewRun): Promise<string | undefined> {
  const { deployment, automation } = run;
  const row = await tx.one(RowId)`
    insert into automation_run (deployment_id, automation_id, automation_version, mode, cause, batch_id, started_by, at,
      considered)
    values (${deployment}, ${automation.id}, ${automation.version}, ${automation.mode}, ${run.cause},
      ${run.batch ?? null}, ${run.startedBy}, ${run.at}, ${run.considered})
    on conflict (deployment_id, automation_id, batch_id) where batch_id is not null do nothing
    returning id`;
  return row?.id;
}

export interface RunResult {
  matched: number;
  suppressed: Record<string, number>;
  failure?: string | undefined;
  durationMs: number;
}

export const closeRun = (tx: Tx, ref: { deployment: string; id: string }, result: RunResult): Promise<number> =>
  tx.run`
    update automation_run set matched = ${result.matched}, suppressed = ${JSON.stringify(result.suppressed)}::jsonb,
      failure = ${result.failure ?? null}, duration_ms = ${Math.round(result.durationMs)}
    where deployment_id = ${unestimated(ref.deployment)} and id = ${ref.id}`;
