import { sql } from '#kernel/db/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { summarise } from './summarise.ts';

/** What the findings of a project add up to when another ref speaks for it: recounted, and nothing is reopened. */
export async function recount(tx: Tx, { deployment, project, at }: { deployment: string; project: string; at: Date }) {
  await summarise(tx, deployment, {
    touched: sql`select id from finding where deployment_id = ${deployment} and project_id = ${project}`,
    at,
    isNews: false,
  });
  // The next scan of the ref that speaks now has all of its words taken over.
  await tx.run`update analysis set said = null where deployment_id = ${deployment} and project_id = ${project}`;
}
