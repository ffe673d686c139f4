import { z } from 'zod';
import { WORKFLOW_TOOL } from '#domain/workflow-issues/issue-conditions.ts';
import { WORKFLOW_SEVERITIES, WorkflowIssue } from '#domain/workflow-issues/shape.ts';
import type { WorkflowIssueWithProjects } from '../all-findings/workflow-issues.ts';
import { SARIF_LEVELS, SECURITY_SEVERITY_SCORES, uriPathOf } from './sarif-export.ts';
import type { ExportColumn } from './shape.ts';

/** Exports contain both kinds, so ids of workflow issues get a prefix. */
const idOf = ({ id }: WorkflowIssue) => `WF-${id}`;

const lowerName = (name: string) => name.replace(/^(SEVERITY|TRIAGE_STATE|TRIAGE_REASON)_/, '').toLowerCase();

/** State names as used by the rows of findings. */
const STATES: Record<string, string> = {
  reopened: 'open',
  ignored: 'ignored_app',
  provisionally_ignored: 'provisionally_ignored_app',
};

type Cells = Partial<Record<ExportColumn, (issue: WorkflowIssueWithProjects) => string>>;

/** Cells of a workflow issue. Columns that do not apply are absent. */
const CELLS: Cells = {
  id: ({ workflowIssue }) => idOf(workflowIssue),
  type: () => 'workflow',
  state: ({ workflowIssue: { triageState } }) => STATES[lowerName(triageState)] ?? lowerName(triageState),
  severity: ({ workflowIssue: { severity } }) => lowerName(severity),
  rule: ({ workflowIssue: { workflowIds } }) => workflowIds[0] ?? '',
  title: ({ workflowIssue: { title } }) => title,
  message: ({ workflowIssue: { description } }) => description,
  repository: ({ projects }) => projects.join(', '),
  ref: ({ workflowIssue: { refIds } }) => refIds[0] ?? '',
  path: ({ workflowIssue: { filePaths } }) => filePaths[0] ?? '',
  created_at: ({ workflowIssue: { createdAt } }) => createdAt.toISOString(),
  relevant_since: ({ workflowIssue: { createdAt } }) => createdAt.toISOString(),
  triage_state: ({ workflowIssue: { triageState } }) =>
    lowerName(triageState) === 'open' ? 'untriaged' : lowerName(triageState),
  triage_reason: ({ workflowIssue: { triageReason } }) => lowerName(triageReason ?? ''),
  package: ({ workflowIssue: { directDependencies } }) => directDependencies.join(', '),
};

export const workflowCell = (column: ExportColumn, issue: WorkflowIssueWithProjects): string =>
  CELLS[column]?.(issue) ?? '';

/** The API representation with a type that marks it as a workflow issue. */
export const workflowJson = ({ workflowIssue, projects }: WorkflowIssueWithProjects): object => ({
  issueType: 'ISSUE_TYPE_WORKFLOW',
  ...z.encode(WorkflowIssue, workflowIssue),
  projectNames: projects,
});

/** One SARIF 2.1.0 result; its rule is the workflow. */
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

/** The tool driver of the SARIF run of workflow issues. */
export const workflowSarifDriver = (rules: Iterable<string>): object => ({
  name: WORKFLOW_TOOL,
  rules: [...new Set(rules)].map((id) => ({ id })),
});
