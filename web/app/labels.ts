/** Words that people read for words of the API: one small record each, in the order of their names. */

export const CONFIDENCE_LABELS: Record<string, string> = {
  CONFIDENCE_HIGH: 'High confidence',
  CONFIDENCE_MEDIUM: 'Medium confidence',
  CONFIDENCE_LOW: 'Low confidence',
};

export const MODE_LABELS = {
  monitor: 'Monitor',
  comment: 'Comment',
  block: 'Block',
  disabled: 'Disabled',
} as const;

export const REACHABILITY_LABELS: Record<string, string> = {
  REACHABILITY_ALWAYS_REACHABLE: 'Always reachable',
  REACHABILITY_CONDITIONALLY_REACHABLE: 'Conditionally reachable',
  REACHABILITY_REACHABLE: 'Reachable',
  REACHABILITY_UNREACHABLE: 'Unreachable',
  REACHABILITY_UNKNOWN: 'Reachability unknown',
};

export const REASON_LABELS: Record<string, string> = {
  FINDING_TRIAGE_REASON_FALSE_POSITIVE: 'False positive',
  FINDING_TRIAGE_REASON_ACCEPTABLE_RISK: 'Acceptable risk',
  FINDING_TRIAGE_REASON_NO_TIME: 'No time',
  FINDING_TRIAGE_REASON_DUPLICATE: 'Duplicate',
  FINDING_TRIAGE_REASON_NO_TRIAGE_REASON: 'No reason',
};

export const STATE_LABELS = {
  open: 'Open',
  reopened: 'Reopened',
  reviewing: 'Reviewing',
  fixing: 'To fix',
  provisional: 'Provisionally ignored',
  ignored: 'Ignored',
  fixed: 'Fixed',
  removed: 'Removed',
} as const;

export const TRANSITIVITY_LABELS: Record<string, string> = {
  DIRECT: 'Direct',
  TRANSITIVE: 'Transitive',
};

export const TYPE_LABELS: Record<string, string> = {
  ISSUE_TYPE_AI_SAST: 'AI',
  ISSUE_TYPE_RESEARCH: 'Research',
  ISSUE_TYPE_SAST: 'Code',
  ISSUE_TYPE_SCA: 'Dependency',
  ISSUE_TYPE_SECRETS: 'Secret',
  ISSUE_TYPE_WORKFLOW: 'Workflow',
};

export const VALIDITY_LABELS: Record<string, string> = {
  VALIDATION_STATE_CONFIRMED_VALID: 'Works',
  VALIDATION_STATE_CONFIRMED_INVALID: 'Does not work',
  VALIDATION_STATE_VALIDATION_ERROR: 'Could not be tried',
  VALIDATION_STATE_NO_VALIDATOR: 'Not tried',
};
