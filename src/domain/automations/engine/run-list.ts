import type { PageWindow } from '#kernel/db/query/page.ts';
import { emptySql, sql, unestimated } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { AutomationRun } from '../deliveries/delivery-shape.ts';

/** The runs of an automation, newest first, and one more that tells whether there is a next page. */
export const listRuns = (
  tx: Tx,
  ref: { deployment: string; automation: string },
  { after, limit }: PageWindow,
): Promise<AutomationRun[]> =>
  tx.all(AutomationRun)`
    select id, automation_id as "automationId", automation_version as "automationVersion", mode, cause,
      started_by as "startedBy", at, considered, matched, suppressed, coalesce(failure, '') as failure,
      duration_ms as "durationMs"
    from automation_run
    where deployment_id = ${unestimated(ref.deployment)} and automation_id = ${ref.automation}
      ${after ? sql`and id < ${after[0]}::bigint` : emptySql}
    order by id desc limit ${limit + 1}`;
