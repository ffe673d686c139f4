import { sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { updateFindingStates } from './finding-state.ts';

/** What the findings of a project add up to when another ref speaks for it: recounted, and nothing is reopened. */
export async function recomputeProjectFindings(
  tx: Tx,
  { deployment, project, at }: { deployment: string; project: string; at: Date },
) {
  await updateFindingStates(tx, deployment, {
    touched: sql`select id from finding where deployment_id = ${deployment} and project_id = ${project}`,
    at,
    isNews: false,
  });
  // The next scan of the ref that speaks now has all of its words taken over.
  await tx.run`update analysis set ruleset_digest = null where deployment_id = ${deployment} and project_id = ${project}`;
}
