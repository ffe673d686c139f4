export const TRIGGER_LABELS: Record<string, string> = {
  TRIGGER_SOURCE_SCAN: 'a scan finishes',
  TRIGGER_SOURCE_ISSUE_TRIAGED: 'a finding is triaged',
  TRIGGER_SOURCE_AI_ANALYSIS: 'AI has analyzed a finding',
  TRIGGER_SOURCE_MANUAL: 'a user starts it',
  TRIGGER_SOURCE_SUPPLY_CHAIN_INCIDENT: 'a supply-chain incident is published',
  TRIGGER_SOURCE_WORKFLOW: 'a workflow starts it',
  TRIGGER_SOURCE_UPGRADE_GUIDANCE: 'upgrade guidance is ready',
  TRIGGER_SOURCE_PATCH_READY: 'a patch is ready',
};

export interface ConditionType {
  /** Used in a sentence before "is". */
  label: string;
  /** The allowed values with their labels; absent for free text. */
  valueLabels?: Readonly<Record<string, string>>;
  /** Example value, for the placeholder. */
  example?: string;
}

const labels = (...words: string[]) => Object.fromEntries(words.map((word) => [word, word.replaceAll('_', ' ')]));
const BOOLEAN_LABELS = { true: 'yes', false: 'no' };

/** The conditions that an automation can check. */
export const CONDITION_TYPES: Readonly<Record<string, ConditionType>> = {
  CONDITION_TYPE_SEVERITY: { label: 'severity', valueLabels: labels('critical', 'high', 'medium', 'low', 'info') },
  CONDITION_TYPE_PRODUCT: {
    label: 'type',
    valueLabels: { sast: 'code', sca: 'dependency', secrets: 'secret', ai_sast: 'AI' },
  },
  CONDITION_TYPE_CONFIDENCE: { label: 'confidence', valueLabels: labels('high', 'medium', 'low') },
  CONDITION_TYPE_REPOSITORY_ID: { label: 'project' },
  CONDITION_TYPE_REPOSITORY_TAG_ID: { label: 'project tag', example: 'internet-facing' },
  CONDITION_TYPE_PRIMARY_REF: { label: 'on the primary branch', valueLabels: BOOLEAN_LABELS },
  CONDITION_TYPE_REF: { label: 'branch', example: 'refs/heads/main' },
  CONDITION_TYPE_PATH: { label: 'path', example: 'src/payments/*' },
  CONDITION_TYPE_POLICY: { label: 'policy' },
  CONDITION_TYPE_RULE_ID: { label: 'rule', example: 'parapet.go.sql-injection-format' },
  CONDITION_TYPE_RULESET_ID: { label: 'ruleset', example: 'p/default' },
  CONDITION_TYPE_CWE: { label: 'weakness (CWE)', example: 'CWE-79' },
  CONDITION_TYPE_OWASP: { label: 'OWASP category', example: 'A03:2021' },
  CONDITION_TYPE_VULNERABILITY_CLASS: { label: 'vulnerability class' },
  CONDITION_TYPE_VALIDATION_STATE: {
    label: 'secret validity',
    valueLabels: {
      confirmed_valid: 'valid',
      confirmed_invalid: 'invalid',
      validation_error: 'validation failed',
      no_validator: 'not validated',
    },
  },
  CONDITION_TYPE_SECRET_TYPE: { label: 'secret type' },
  CONDITION_TYPE_REPOSITORY_VISIBILITY: {
    label: 'project visibility',
    valueLabels: labels('public', 'private', 'unknown'),
  },
  CONDITION_TYPE_REACHABILITY: {
    label: 'reachability',
    valueLabels: {
      ...labels('reachable', 'always_reachable', 'conditionally_reachable', 'unreachable'),
      no_reachability_analysis: 'not analyzed',
      unknown: 'unknown',
    },
  },
  CONDITION_TYPE_TRANSITIVITY: { label: 'transitivity', valueLabels: labels('direct', 'transitive', 'unknown') },
  CONDITION_TYPE_UPGRADE_AVAILABILITY: { label: 'upgrade available', valueLabels: BOOLEAN_LABELS },
  CONDITION_TYPE_BREAKING_CHANGE: { label: 'upgrade has breaking changes', valueLabels: BOOLEAN_LABELS },
  CONDITION_TYPE_EPSS_CATEGORY: {
    label: 'exploit probability (EPSS)',
    valueLabels: labels('high', 'medium', 'low', 'none'),
  },
  CONDITION_TYPE_CVE: { label: 'CVE', example: 'CVE-2021-44228' },
  CONDITION_TYPE_VULNERABILITY_ID: { label: 'vulnerability id', example: 'GHSA-jfh8-c2jp-5v3q' },
  CONDITION_TYPE_MALICIOUS_DEPENDENCY: { label: 'malicious dependency', valueLabels: BOOLEAN_LABELS },
  CONDITION_TYPE_TRIAGE_STATE: {
    label: 'triage state',
    valueLabels: {
      ...labels('untriaged', 'open', 'reopened', 'reviewing'),
      fixing: 'to fix',
      ...labels('ignored', 'provisionally_ignored', 'fixed'),
    },
  },
  CONDITION_TYPE_AGGREGATE_STATE: {
    label: 'state',
    valueLabels: {
      ...labels('open', 'fixed', 'removed'),
      ignored_app: 'ignored by users',
      ignored_code: 'ignored in the code',
      reviewing: 'reviewing',
      fixing: 'to fix',
      provisionally_ignored_app: 'provisionally ignored',
      unknown: 'unknown',
    },
  },
  CONDITION_TYPE_HAS_EXTERNAL_TICKET: { label: 'has a ticket', valueLabels: BOOLEAN_LABELS },
  CONDITION_TYPE_AI_VERDICT: {
    label: 'AI verdict',
    valueLabels: labels('true_positive', 'false_positive', 'no_verdict'),
  },
  CONDITION_TYPE_AI_TAG: { label: 'AI tag' },
  CONDITION_TYPE_WORKFLOW_ID: { label: 'workflow' },
  CONDITION_TYPE_FULL_SCAN: { label: 'full scan', valueLabels: BOOLEAN_LABELS },
};

export interface ActionConfigField {
  name: string;
  label: string;
  /** The allowed values with their labels; absent for free text. */
  valueLabels?: Readonly<Record<string, string>>;
  isOptional?: boolean;
  /** Chosen from what is connected; absent for free text. */
  picks?: 'webhook' | 'tracker' | 'channel' | 'storage';
}

export interface ActionType {
  /** Used in a sentence after "then". */
  label: string;
  fields: readonly ActionConfigField[];
}

const WEBHOOK: ActionConfigField = { name: 'webhook_id', label: 'Webhook', picks: 'webhook' };
const CREDENTIAL: ActionConfigField = { name: 'credential_slug', label: 'Name of the stored credential' };

/** The actions that an automation can run. */
export const ACTION_TYPES: Readonly<Record<string, ActionType>> = {
  ACTION_TYPE_PR_COMMENT: { label: 'comment on the pull request', fields: [] },
  ACTION_TYPE_BLOCK: { label: 'block the merge', fields: [] },
  ACTION_TYPE_TRIAGE: {
    label: 'set the triage state',
    fields: [
      {
        name: 'state',
        label: 'State',
        valueLabels: {
          ...labels('open', 'reopened', 'reviewing'),
          fixing: 'to fix',
          ...labels('ignored', 'provisionally_ignored', 'fixed'),
        },
      },
      {
        name: 'reason',
        label: 'Reason (only when ignored)',
        valueLabels: labels('false_positive', 'acceptable_risk', 'no_time'),
        isOptional: true,
      },
    ],
  },
  ACTION_TYPE_EMAIL: {
    label: 'send an e-mail',
    fields: [{ name: 'recipients', label: 'Addresses, separated by commas' }],
  },
  ACTION_TYPE_SLACK_APP: {
    label: 'post to a Slack channel',
    fields: [{ name: 'channel_id', label: 'Channel', picks: 'channel' }],
  },
  ACTION_TYPE_SLACK_WEBHOOK: { label: 'call a Slack webhook', fields: [WEBHOOK] },
  ACTION_TYPE_WEBHOOK: { label: 'call a webhook', fields: [WEBHOOK] },
  ACTION_TYPE_JIRA: {
    label: 'open a ticket',
    fields: [
      { name: 'credential_slug', label: 'Tracker', picks: 'tracker' },
      { name: 'project_id', label: 'Project at the tracker' },
    ],
  },
  ACTION_TYPE_S3: {
    label: 'write to an S3 bucket',
    fields: [
      { name: 'bucket', label: 'Bucket' },
      { name: 'credential_slug', label: 'Storage', picks: 'storage' },
    ],
  },
  ACTION_TYPE_PARTNER: { label: 'notify the cloud-security partner', fields: [CREDENTIAL] },
  ACTION_TYPE_DEVELOPER_EXCEPTION_REQUESTS: { label: 'allow developers to request an exception', fields: [] },
  ACTION_TYPE_OPEN_AUTOFIX_PR: { label: 'open a pull request with a fix', fields: [] },
  ACTION_TYPE_TRIGGER_WORKFLOW: {
    label: 'start a workflow',
    fields: [{ name: 'workflow_id', label: 'Workflow id' }],
  },
};
