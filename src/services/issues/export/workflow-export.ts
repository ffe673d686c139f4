import { z } from 'zod';
import { WORKFLOW_TOOL } from '#domain/workflow-issues/issue-conditions.ts';
import { WORKFLOW_SEVERITIES, WorkflowIssue } from '#domain/workflow-issues/shape.ts';
import { findWorkflowIssues, issueProjectNames } from '#domain/workflow-issues/store.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { SARIF_LEVELS, SECURITY_SEVERITY_SCORES, uriPathOf } from './sarif-export.ts';
import type { ExportColumn } from './shape.ts';

/** What a workflow found, with the names of its projects. */
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

/** In a file of both kinds their numbers are told apart. */
const idOf = ({ id }: WorkflowIssue) => `WF-${id}`;

const wordOf = (name: string) => name.replace(/^(SEVERITY|TRIAGE_STATE|TRIAGE_REASON)_/, '').toLowerCase();

/** States as the other lines of the file call them. */
const STATES: Record<string, string> = {
  reopened: 'open',
  ignored: 'ignored_app',
  provisionally_ignored: 'provisionally_ignored_app',
};

type Cells = Partial<Record<ExportColumn, (line: WorkflowIssueWithProjects) => string>>;

/** The cells of a line; columns that are not here say nothing of what workflows found. */
const CELLS: Cells = {
  id: ({ workflowIssue }) => idOf(workflowIssue),
  type: () => 'workflow',
  state: ({ workflowIssue: { triageState } }) => STATES[wordOf(triageState)] ?? wordOf(triageState),
  severity: ({ workflowIssue: { severity } }) => wordOf(severity),
  rule: ({ workflowIssue: { workflowIds } }) => workflowIds[0] ?? '',
  title: ({ workflowIssue: { title } }) => title,
  message: ({ workflowIssue: { description } }) => description,
  repository: ({ projects }) => projects.join(', '),
  ref: ({ workflowIssue: { refIds } }) => refIds[0] ?? '',
  path: ({ workflowIssue: { filePaths } }) => filePaths[0] ?? '',
  created_at: ({ workflowIssue: { createdAt } }) => createdAt.toISOString(),
  relevant_since: ({ workflowIssue: { createdAt } }) => createdAt.toISOString(),
  triage_state: ({ workflowIssue: { triageState } }) =>
    wordOf(triageState) === 'open' ? 'untriaged' : wordOf(triageState),
  triage_reason: ({ workflowIssue: { triageReason } }) => wordOf(triageReason ?? ''),
  package: ({ workflowIssue: { directDependencies } }) => directDependencies.join(', '),
};

export const workflowCell = (column: ExportColumn, line: WorkflowIssueWithProjects): string =>
  CELLS[column]?.(line) ?? '';

/** As the API shows it, and marked as what it is. */
export const workflowJson = ({ workflowIssue, projects }: WorkflowIssueWithProjects): object => ({
  issueType: 'ISSUE_TYPE_WORKFLOW',
  ...z.encode(WorkflowIssue, workflowIssue),
  projectNames: projects,
});

/** One result of SARIF 2.1.0; the workflow is its rule. */
export function workflowSarifResult({ workflowIssue: issue, projects }: WorkflowIssueWithProjects): object {
  const rank = WORKFLOW_SEVERITIES.indexOf(issue.severity);
  const score = SECURITY_SEVERITY_SCORES[rank];
  return {
    ruleId: issue.workflowIds[0] ?? '',
    level: SARIF_LEVELS[rank],
    message: { text: issue.description === '' ? issue.title : issue.description },
    locations: issue.filePaths.map((path) => ({ physicalLocation: { artifactLocation: { uri: uriPathOf(path) } } })),
    fingerprints: { 'workflowIdentity/v1': issue.identities[0] ?? '' },
    ...(issue.cwes.length > 0 && { taxa: issue.cwes.map((id) => ({ id, toolComponent: { name: 'CWE' } })) }),
    ...(issue.triageState === 'TRIAGE_STATE_IGNORED' && { suppressions: [{ kind: 'external', status: 'accepted' }] }),
    properties: {
      ...(score !== undefined && { 'security-severity': score }),
      parapet: {
        id: idOf(issue),
        projects,
        firstSeenAt: issue.createdAt.toISOString(),
        product: 'sast',
        title: issue.title,
        prints: [],
      },
    },
  };
}

/** The tool of the run that holds what workflows found. */
export const workflowSarifDriver = (rules: Iterable<string>): object => ({
  name: WORKFLOW_TOOL,
  rules: [...new Set(rules)].map((id) => ({ id })),
});
