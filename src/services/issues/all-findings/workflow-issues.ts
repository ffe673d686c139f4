import type { WorkflowIssue } from '#domain/workflow-issues/shape.ts';
import { findWorkflowIssues, issueProjectNames } from '#domain/workflow-issues/store.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import type { Tx } from '#kernel/db/tx.ts';

/** A workflow issue with the names of its projects. */
export interface WorkflowIssueWithProjects {
  workflowIssue: WorkflowIssue;
  projects: string[];
}

export async function findWorkflowIssuesWithProjects(
  tx: Tx,
  caller: Caller,
  ids: readonly string[],
): Promise<WorkflowIssueWithProjects[]> {
  const issues = ids.length === 0 ? [] : await findWorkflowIssues(tx, caller, ids);
  const names = await issueProjectNames(tx, caller.deployment, issues);
  return issues.map((workflowIssue) => ({
    workflowIssue,
    projects: workflowIssue.projectIds.map((id) => names.get(id) ?? ''),
  }));
}
