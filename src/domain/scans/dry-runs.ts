import { z } from 'zod';
import type { Tx } from '#kernel/db/tx.ts';

/** Scanners request the rules of a dry run within minutes; what exceeds this number is the oldest. */
const MAX_DRY_RUNS = 500;

/** A scan that only needs rules, under the client's id of the run. */
const DryRun = z.object({
  project: z.string().optional(),
  products: z.array(z.string()),
  partialRuleIds: z.array(z.string()).optional(),
});
export type DryRun = z.output<typeof DryRun>;

export interface DryRunKey {
  deployment: string;
  requestId: string;
  startedBy: string;
}

/** Stores a dry run, so that its rules can be requested in a second request, and deletes those that have expired. */
export async function saveDryRun(
  tx: Tx,
  { deployment, requestId, startedBy }: DryRunKey,
  { project, products, partialRuleIds, at }: DryRun & { at: Date },
): Promise<void> {
  await tx.run`
    delete from dry_run where deployment_id = ${deployment} and (started_at < ${at}::timestamptz - interval '1 hour'
      or (request_id, started_by) in (
        select request_id, started_by from dry_run where deployment_id = ${deployment}
        order by started_at desc offset ${MAX_DRY_RUNS - 1}))`;
  await tx.run`
    insert into dry_run (deployment_id, request_id, started_by, project_id, products, partial_rule_ids, started_at)
    values (${deployment}, ${requestId}, ${startedBy}, ${project ?? null}, ${products}, ${partialRuleIds ?? null},
      ${at})
    on conflict (deployment_id, request_id, started_by) do update set project_id = excluded.project_id,
      products = excluded.products, partial_rule_ids = excluded.partial_rule_ids, started_at = excluded.started_at`;
}

/** The dry run that this credential started under the client's id. */
export const findDryRun = (tx: Tx, { deployment, requestId, startedBy }: DryRunKey): Promise<DryRun | undefined> =>
  tx.one(DryRun)`
    select project_id as project, products, partial_rule_ids as "partialRuleIds" from dry_run
    where deployment_id = ${deployment} and request_id = ${requestId} and started_by = ${startedBy}`;
