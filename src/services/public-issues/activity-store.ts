import { findUnknownProjects } from '#domain/teams/members.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import type { PageWindow } from '#kernel/db/query/page.ts';
import { emptySql, sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { WorkflowIssueActivity } from './contract.ts';

/** The activity of an issue, newest first, without projects that the caller may not see. */
export async function listActivity(
  tx: Tx,
  caller: Caller,
  issue: string,
  { after, limit }: PageWindow,
): Promise<WorkflowIssueActivity[]> {
  const entries = await tx.all(WorkflowIssueActivity)`
    select id, deployment_id as "deploymentId", issue_id as "issueId",
      old_values || jsonb_build_object('id', issue_id::text, 'deploymentId', deployment_id::text) as "oldValues",
      new_values || jsonb_build_object('id', issue_id::text, 'deploymentId', deployment_id::text) as "newValues",
      changed_fields as "changedFields", reason, actor_type as "actorType", actor_id as "actorId",
      created_at as "createdAt"
    from workflow_issue_activity
    where deployment_id = ${caller.deployment} and issue_id = ${issue}
      ${after ? sql`and id < ${after[0]}::bigint` : emptySql}
    order by id desc limit ${limit + 1}`;
  const values = entries.flatMap(({ oldValues, newValues }) => [oldValues, newValues]);
  const projects = [...new Set(values.flatMap(({ projectIds }) => projectIds ?? []))];
  if (caller.seesEverything || projects.length === 0) return entries;
  const hidden = await findUnknownProjects(tx, caller, projects);
  for (const value of values)
    if (value.projectIds) value.projectIds = value.projectIds.filter((project) => !hidden.has(project));
  return entries;
}
