import type { issues, publicIssues } from '#web/foundation/api/services.ts';
import type { FindingState } from '#web/ui/badges/finding-state.ts';
import { workflowFindingId } from './finding-id.ts';
import type { FindingRow } from './finding-row.ts';

type WorkflowIssue = Awaited<ReturnType<typeof publicIssues.getIssue>>['data'];

/** With the revision of decisions at which it was requested; later decisions are not in it. */
export interface LoadedWorkflowIssue extends WorkflowIssue {
  loadedAtRevision: number;
}

const STATES: Record<string, FindingState> = {
  TRIAGE_STATE_OPEN: 'open',
  TRIAGE_STATE_REOPENED: 'reopened',
  TRIAGE_STATE_REVIEWING: 'reviewing',
  TRIAGE_STATE_FIXING: 'fixing',
  TRIAGE_STATE_PROVISIONALLY_IGNORED: 'provisional',
  TRIAGE_STATE_IGNORED: 'ignored',
  TRIAGE_STATE_FIXED: 'fixed',
};

export const DETECTION_LABELS: Record<string, string> = {
  DETECTION_STATE_DETECTED: 'Detected',
  DETECTION_STATE_NOT_DETECTED: 'No longer detected',
  DETECTION_STATE_VERIFIED_ABSENT: 'Verified absent',
  DETECTION_STATE_VERIFIED_PRESENT: 'Verified present',
};

export const workflowState = ({ triageState }: Pick<WorkflowIssue, 'triageState'>): FindingState =>
  STATES[triageState] ?? 'open';

type Line = Awaited<ReturnType<typeof issues.listAllIssues>>['issues'][number];

/** A workflow issue as a row of the list. */
export const workflowFindingRow = (issue: WorkflowIssue, projects: Line['projects']): FindingRow => ({
  id: workflowFindingId(issue.id),
  severity: issue.severity,
  title: issue.title,
  rule: issue.workflowIds[0] ?? '',
  type: 'ISSUE_TYPE_WORKFLOW',
  path: issue.filePaths[0] ?? issue.domains[0] ?? '',
  line: 0,
  project: projects.map(({ name }) => name).join(', ') || 'No project',
  firstSeenAt: issue.createdAt,
  at: issue.createdAt,
  state: workflowState(issue),
  signal: DETECTION_LABELS[issue.detectionState] ?? '',
  isBlocking: false,
});
