import { z } from 'zod';
import { FindingSeverity } from '#domain/findings/shape.ts';
import { id, oneOf, timestamp } from '#kernel/contract/proto-fields.ts';

/** Ordered by rank, starting at 1. */
export const WORKFLOW_SEVERITIES = [
  'SEVERITY_INFO',
  'SEVERITY_LOW',
  'SEVERITY_MEDIUM',
  'SEVERITY_HIGH',
  'SEVERITY_CRITICAL',
] as const;
export const DETECTION_STATES = [
  'DETECTION_STATE_DETECTED',
  'DETECTION_STATE_NOT_DETECTED',
  'DETECTION_STATE_VERIFIED_ABSENT',
  'DETECTION_STATE_VERIFIED_PRESENT',
] as const;
export const DetectionState = oneOf(DETECTION_STATES);
export const WORKFLOW_TRIAGE_STATES = [
  'TRIAGE_STATE_IGNORED',
  'TRIAGE_STATE_OPEN',
  'TRIAGE_STATE_REOPENED',
  'TRIAGE_STATE_REVIEWING',
  'TRIAGE_STATE_FIXING',
  'TRIAGE_STATE_PROVISIONALLY_IGNORED',
  'TRIAGE_STATE_FIXED',
] as const;
export const WorkflowTriageState = oneOf(WORKFLOW_TRIAGE_STATES);
export const WORKFLOW_TRIAGE_REASONS = [
  'TRIAGE_REASON_FALSE_POSITIVE',
  'TRIAGE_REASON_ACCEPTABLE_RISK',
  'TRIAGE_REASON_NO_TIME',
] as const;
export const WorkflowTriageReason = oneOf(WORKFLOW_TRIAGE_REASONS);
/** The fields of a decision about findings that workflow issues cannot store, or not with all values. */
export const UNSUPPORTED_DECISION_FIELDS = ['note', 'until', 'triageReason', 'assignee'] as const;

const texts = () => z.array(z.string());

export const WorkflowIssueMembers = {
  title: z.string(),
  description: z.string(),
  reasoning: z.string(),
  createdAt: timestamp(),
  lastDetectedAt: timestamp(),
  detectionState: DetectionState,
  severity: FindingSeverity,
  triageState: WorkflowTriageState,
  triageReason: WorkflowTriageReason.optional(),
  triagedAt: timestamp().optional(),
  actions: texts(),
  workflowIds: texts(),
  identities: texts(),
  triggerSources: texts(),
  projectIds: z.array(id('Project')),
  refIds: texts(),
  filePaths: texts(),
  dependencyPaths: texts(),
  directDependencies: texts(),
  domains: texts(),
  cwes: texts(),
  owasps: texts(),
};
export const WorkflowIssueIds = { id: id('Issue'), deploymentId: id('Deployment') };

/** An issue of Agentic Workflows as a caller sees it. */
export const WorkflowIssue = z.object({ ...WorkflowIssueIds, ...WorkflowIssueMembers });
export type WorkflowIssue = z.output<typeof WorkflowIssue>;

/** What the examples of the API description show. */
export const exampleIds = { Issue: '508' };
