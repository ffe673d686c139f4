import { z } from 'zod';
import type { Caller } from '#kernel/auth/caller.ts';
import { type Sql, sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { linkIsVisible } from './issue-visibility.ts';
import { WORKFLOW_SEVERITIES, WorkflowIssue } from './shape.ts';

const severityName = sql`(${[...WORKFLOW_SEVERITIES]}::text[])[issue.severity]`;

/** The columns of an issue; only projects that the caller may see. */
export const issueColumns = (caller: Caller): Sql => sql`
  issue.id, issue.deployment_id as "deploymentId", issue.title, issue.description, issue.reasoning,
  issue.created_at as "createdAt", issue.last_detected_at as "lastDetectedAt",
  issue.detection_state as "detectionState", ${severityName} as severity, issue.triage_state as "triageState",
  issue.triage_reason as "triageReason", issue.triaged_at as "triagedAt", issue.actions,
  issue.workflow_ids as "workflowIds", array[issue.identity] as identities,
  issue.trigger_sources as "triggerSources",
  array(select link.project_id::text from workflow_issue_project as link
        where link.deployment_id = issue.deployment_id and link.issue_id = issue.id and ${linkIsVisible(caller)}
        order by link.project_id) as "projectIds",
  issue.ref_ids as "refIds", issue.file_paths as "filePaths", issue.dependency_paths as "dependencyPaths",
  issue.direct_dependencies as "directDependencies", issue.domains, issue.cwes, issue.owasps`;

/** The issues with these ids, in their order. */
export const findWorkflowIssues = (tx: Tx, caller: Caller, ids: readonly string[]): Promise<WorkflowIssue[]> =>
  tx.all(WorkflowIssue)`
    select ${issueColumns(caller)} from unnest(${ids}::bigint[]) with ordinality as requested (id, position)
    join workflow_issue as issue on issue.deployment_id = ${caller.deployment} and issue.id = requested.id
    order by requested.position`;

const ProjectName = z.object({ id: z.string(), name: z.string() });

/** Names of the projects of these issues, by id. */
export async function issueProjectNames(
  tx: Tx,
  deployment: string,
  issues: readonly WorkflowIssue[],
): Promise<Map<string, string>> {
  const ids = [...new Set(issues.flatMap(({ projectIds }) => projectIds))];
  if (ids.length === 0) return new Map();
  const rows = await tx.all(ProjectName)`
    select project.id, project.name from project
    where project.deployment_id = ${deployment} and project.id = any(${ids}::bigint[])`;
  return new Map(rows.map(({ id, name }) => [id, name]));
}
