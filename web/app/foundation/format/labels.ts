/** Display labels for the enum values of the API, one record per enum. */

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
  VALIDATION_STATE_CONFIRMED_VALID: 'Valid',
  VALIDATION_STATE_CONFIRMED_INVALID: 'Invalid',
  VALIDATION_STATE_VALIDATION_ERROR: 'Validation failed',
  VALIDATION_STATE_NO_VALIDATOR: 'Not validated',
};

export const ORG_ROLE_LABELS: Record<string, string> = {
  ORG_ROLE_ADMIN: 'Administrator',
  ORG_ROLE_MEMBER: 'Member',
  ORG_ROLE_READONLY: 'Read only',
  ORG_ROLE_IMPERSONATOR: 'Impersonator',
};

export const SSO_TYPE_LABELS: Record<string, string> = {
  SSO_TYPE_GITLAB: 'GitLab',
  SSO_TYPE_GOOGLE: 'Google',
  SSO_TYPE_OPENID: 'OpenID Connect',
  SSO_TYPE_SAML2: 'SAML 2.0',
  SSO_TYPE_SCMHOST: 'GitHub',
  SSO_TYPE_SIMPLE: 'Password',
  SSO_TYPE_WORKOS: 'WorkOS',
};

export const TEAM_ROLE_LABELS: Record<string, string> = {
  TEAM_ROLE_MANAGER: 'Manager',
  TEAM_ROLE_MEMBER: 'Member',
  TEAM_ROLE_READONLY: 'Read only',
};

export const TOKEN_ROLE_LABELS: Record<string, string> = {
  TOKEN_ROLE_AGENT_CLI: 'CI upload',
  TOKEN_ROLE_MEMBER: 'Member',
  TOKEN_ROLE_READ_ONLY: 'Read only',
  TOKEN_ROLE_WEBAPI: 'Full API',
};

export const TRIAGE_PERMISSION_LABELS: Record<string, string> = {
  TRIAGE_PERMISSION_IGNORE: 'ignore',
  TRIAGE_PERMISSION_NONE: 'none',
  TRIAGE_PERMISSION_REQUEST: 'request to ignore',
};
