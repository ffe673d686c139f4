/** Words of the API as people read them: one record for each enum, the same words on every page. */

export const AGGREGATE_STATES: Record<string, string> = {
  AGGREGATE_ISSUE_STATE_FIXED: 'Fixed',
  AGGREGATE_ISSUE_STATE_FIXING: 'To fix',
  AGGREGATE_ISSUE_STATE_IGNORED_APP: 'Ignored',
  AGGREGATE_ISSUE_STATE_IGNORED_CODE: 'Ignored in code',
  AGGREGATE_ISSUE_STATE_OPEN: 'Open',
  AGGREGATE_ISSUE_STATE_PROVISIONALLY_IGNORED_APP: 'Provisionally ignored',
  AGGREGATE_ISSUE_STATE_REMOVED: 'Removed',
  AGGREGATE_ISSUE_STATE_REVIEWING: 'Reviewing',
  AGGREGATE_ISSUE_STATE_UNKNOWN: 'Unknown',
};

export const ISSUE_TYPES: Record<string, string> = {
  ISSUE_TYPE_AI_SAST: 'AI',
  ISSUE_TYPE_RESEARCH: 'Research',
  ISSUE_TYPE_SAST: 'Code',
  ISSUE_TYPE_SCA: 'Dependency',
  ISSUE_TYPE_SECRETS: 'Secret',
};

export const REACHABILITIES: Record<string, string> = {
  REACHABILITY_ALWAYS_REACHABLE: 'Always reachable',
  REACHABILITY_CONDITIONALLY_REACHABLE: 'Perhaps reachable',
  REACHABILITY_REACHABLE: 'Reachable',
  REACHABILITY_UNKNOWN: 'Not analysed',
  REACHABILITY_UNREACHABLE: 'Unreachable',
};

export const TRIAGE_REASONS: Record<string, string> = {
  FINDING_TRIAGE_REASON_ACCEPTABLE_RISK: 'acceptable risk',
  FINDING_TRIAGE_REASON_DUPLICATE: 'duplicate',
  FINDING_TRIAGE_REASON_FALSE_POSITIVE: 'false positive',
  FINDING_TRIAGE_REASON_NO_TIME: 'no time',
  FINDING_TRIAGE_REASON_NO_TRIAGE_REASON: 'no reason given',
};

export const TRIAGE_STATES: Record<string, string> = {
  FINDING_TRIAGE_STATE_FIXING: 'To fix',
  FINDING_TRIAGE_STATE_IGNORED: 'Ignored',
  FINDING_TRIAGE_STATE_PROVISIONALLY_IGNORED: 'Provisionally ignored',
  FINDING_TRIAGE_STATE_REOPENED: 'Reopened',
  FINDING_TRIAGE_STATE_REVIEWING: 'Reviewing',
  FINDING_TRIAGE_STATE_UNTRIAGED: 'Open',
};

export const VALIDATION_STATES: Record<string, string> = {
  VALIDATION_STATE_CONFIRMED_INVALID: 'Does not work',
  VALIDATION_STATE_CONFIRMED_VALID: 'Works',
  VALIDATION_STATE_NO_VALIDATOR: 'Not tried',
  VALIDATION_STATE_VALIDATION_ERROR: 'Trying failed',
};
