import { projectVisibilitySql } from '#domain/teams/visibility.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import type { Tx } from '#kernel/db/tx.ts';

/** True if the scan exists and the caller may see its project. */
export async function isScanVisible(tx: Tx, caller: Caller, scan: string): Promise<boolean> {
  const [row] = await tx.rows`
    select from scan join project on project.deployment_id = scan.deployment_id and project.id = scan.project_id
    where scan.deployment_id = ${caller.deployment} and scan.id = ${scan} and ${projectVisibilitySql(caller)}`;
  return row !== undefined;
}
