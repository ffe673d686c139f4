import { z } from 'zod';
import { TOOL } from '#domain/workflow-issues/conditions.ts';
import { SEVERITIES, WorkflowIssue } from '#domain/workflow-issues/shape.ts';
import { findMany, projectNames } from '#domain/workflow-issues/store.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { LEVELS, SCORES, uriOf } from './export-sarif.ts';
import type { ExportColumn } from './export-shape.ts';

/** What a workflow found, with the names of its projects. */
export interface WorkflowLine {
  workflowIssue: WorkflowIssue;
  projects: string[];
}

export async function findWorkflowLines(tx: Tx, caller: Caller, ids: readonly string[]): Promise<WorkflowLine[]> {
  const issues = ids.length === 0 ? [] : await findMany(tx, caller, ids);
  const names = await projectNames(tx, caller.deployment, issues);
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

type Cells = Partial<Record<ExportColumn, (line: WorkflowLine) => string>>;

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

export const workflowCell = (column: ExportColumn, line: WorkflowLine): string => CELLS[column]?.(line) ?? '';

/** As the API shows it, and marked as what it is. */
export const workflowJson = ({ workflowIssue, projects }: WorkflowLine): object => ({
  issueType: 'ISSUE_TYPE_WORKFLOW',
  ...z.encode(WorkflowIssue, workflowIssue),
  projectNames: projects,
});

/** One result of SARIF 2.1.0; the workflow is its rule. */
export function workflowResult({ workflowIssue: issue, projects }: WorkflowLine): object {
  const rank = SEVERITIES.indexOf(issue.severity);
  const score = SCORES[rank];
  return {
    ruleId: issue.workflowIds[0] ?? '',
    level: LEVELS[rank],
    message: { text: issue.description === '' ? issue.title : issue.description },
    locations: issue.filePaths.map((path) => ({ physicalLocation: { artifactLocation: { uri: uriOf(path) } } })),
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
export const workflowDriver = (rules: Iterable<string>): object => ({
  name: TOOL,
  rules: [...new Set(rules)].map((id) => ({ id })),
});
