import type { publicIssues } from '#web/api/services.ts';
import type { FindingState } from '#web/parts/finding-state.ts';
import type { Row } from '../row.ts';

export type WorkflowIssue = Awaited<ReturnType<typeof publicIssues.getIssue>>['data'];

const STATES: Record<string, FindingState> = {
  TRIAGE_STATE_OPEN: 'open',
  TRIAGE_STATE_REOPENED: 'reopened',
  TRIAGE_STATE_REVIEWING: 'reviewing',
  TRIAGE_STATE_FIXING: 'fixing',
  TRIAGE_STATE_PROVISIONALLY_IGNORED: 'provisional',
  TRIAGE_STATE_IGNORED: 'ignored',
  TRIAGE_STATE_FIXED: 'fixed',
};

export const DETECTIONS: Record<string, string> = {
  DETECTION_STATE_DETECTED: 'Detected',
  DETECTION_STATE_NOT_DETECTED: 'No longer detected',
  DETECTION_STATE_VERIFIED_ABSENT: 'Verified absent',
  DETECTION_STATE_VERIFIED_PRESENT: 'Verified present',
};

export const workflowState = ({ triageState }: Pick<WorkflowIssue, 'triageState'>): FindingState =>
  STATES[triageState] ?? 'open';

/** Ids of the two lists are numbers of their own, so that these are marked. */
export const lineIdOf = (issueId: string): string => `w${issueId}`;
export const issueIdOf = (lineId: string): string => lineId.slice(1);

/** What Agentic Workflows found, as a line of the list. */
export const workflowRow = (issue: WorkflowIssue): Row => ({
  id: lineIdOf(issue.id),
  severity: issue.severity,
  title: issue.title,
  rule: issue.workflowIds[0] ?? '',
  type: 'ISSUE_TYPE_WORKFLOW',
  path: issue.filePaths[0] ?? issue.domains[0] ?? '',
  line: 0,
  project: issue.workflowIds[0] ?? '',
  at: issue.createdAt,
  state: workflowState(issue),
  signal: DETECTIONS[issue.detectionState] ?? '',
  isBlocking: false,
});
