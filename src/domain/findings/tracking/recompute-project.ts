import { sql, unestimated } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { updateFindingStates } from './finding-state.ts';

/** Recomputes a project's findings after its primary ref changed; nothing counts as reopened. */
export async function recomputeProjectFindings(
  tx: Tx,
  { deployment, project, at }: { deployment: string; project: string; at: Date },
) {
  await updateFindingStates(tx, deployment, {
    touched: sql`select id from finding where deployment_id = ${unestimated(deployment)} and project_id = ${project}`,
    at,
    isNews: false,
  });
  // The next scan of the new primary ref must be stored in full.
  await tx.run`
    update analysis set ruleset_digest = null where deployment_id = ${unestimated(deployment)}
      and project_id = ${project}`;
}
