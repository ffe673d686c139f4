export type MatchMode = 'MODE_ALL' | 'MODE_ANY' | 'MODE_NONE';

export const TRIGGER_LABELS: Record<string, string> = {
  TRIGGER_SOURCE_SCAN: 'a scan finishes',
  TRIGGER_SOURCE_ISSUE_TRIAGED: 'somebody decides about a finding',
  TRIGGER_SOURCE_AI_ANALYSIS: 'AI has looked at a finding',
  TRIGGER_SOURCE_MANUAL: 'somebody asks for it',
  TRIGGER_SOURCE_SUPPLY_CHAIN_INCIDENT: 'an incident of the supply chain becomes known',
  TRIGGER_SOURCE_WORKFLOW: 'a workflow asks for it',
  TRIGGER_SOURCE_UPGRADE_GUIDANCE: 'guidance for an upgrade is ready',
  TRIGGER_SOURCE_PATCH_READY: 'a patch is ready',
};

export interface ConditionType {
  /** As it stands in a sentence, before "is". */
  label: string;
  /** All that it can be, with how each is said; absent where any text goes. */
  valueLabels?: Readonly<Record<string, string>>;
  /** What a text looks like. */
  example?: string;
}

const said = (...words: string[]) => Object.fromEntries(words.map((word) => [word, word.replaceAll('_', ' ')]));
const YES_OR_NO = { true: 'yes', false: 'no' };

/** What findings can be asked for. */
export const CONDITION_TYPES: Readonly<Record<string, ConditionType>> = {
  CONDITION_TYPE_SEVERITY: { label: 'severity', valueLabels: said('critical', 'high', 'medium', 'low', 'info') },
  CONDITION_TYPE_PRODUCT: {
    label: 'type',
    valueLabels: { sast: 'code', sca: 'dependency', secrets: 'secret', ai_sast: 'AI' },
  },
  CONDITION_TYPE_CONFIDENCE: { label: 'confidence', valueLabels: said('high', 'medium', 'low') },
  CONDITION_TYPE_REPOSITORY_ID: { label: 'project' },
  CONDITION_TYPE_REPOSITORY_TAG_ID: { label: 'tag of the project', example: 'internet-facing' },
  CONDITION_TYPE_PRIMARY_REF: { label: 'on the primary branch', valueLabels: YES_OR_NO },
  CONDITION_TYPE_REF: { label: 'branch', example: 'refs/heads/main' },
  CONDITION_TYPE_PATH: { label: 'path', example: 'src/payments/*' },
  CONDITION_TYPE_POLICY: { label: 'policy' },
  CONDITION_TYPE_RULE_ID: { label: 'rule', example: 'parapet.go.sql-injection-format' },
  CONDITION_TYPE_RULESET_ID: { label: 'ruleset', example: 'p/default' },
  CONDITION_TYPE_CWE: { label: 'weakness (CWE)', example: 'CWE-79' },
  CONDITION_TYPE_OWASP: { label: 'OWASP category', example: 'A03:2021' },
  CONDITION_TYPE_VULNERABILITY_CLASS: { label: 'class of vulnerability' },
  CONDITION_TYPE_VALIDATION_STATE: {
    label: 'validity of the secret',
    valueLabels: {
      confirmed_valid: 'works',
      confirmed_invalid: 'does not work',
      validation_error: 'could not be tried',
      no_validator: 'not tried',
    },
  },
  CONDITION_TYPE_SECRET_TYPE: { label: 'kind of secret' },
  CONDITION_TYPE_REPOSITORY_VISIBILITY: {
    label: 'visibility of the project',
    valueLabels: said('public', 'private', 'unknown'),
  },
  CONDITION_TYPE_REACHABILITY: {
    label: 'reachability',
    valueLabels: {
      ...said('reachable', 'always_reachable', 'conditionally_reachable', 'unreachable'),
      no_reachability_analysis: 'not looked at',
      unknown: 'unknown',
    },
  },
  CONDITION_TYPE_TRANSITIVITY: { label: 'transitivity', valueLabels: said('direct', 'transitive', 'unknown') },
  CONDITION_TYPE_UPGRADE_AVAILABILITY: { label: 'upgrade available', valueLabels: YES_OR_NO },
  CONDITION_TYPE_BREAKING_CHANGE: { label: 'upgrade breaks something', valueLabels: YES_OR_NO },
  CONDITION_TYPE_EPSS_CATEGORY: {
    label: 'probability of exploitation',
    valueLabels: said('high', 'medium', 'low', 'none'),
  },
  CONDITION_TYPE_CVE: { label: 'CVE', example: 'CVE-2021-44228' },
  CONDITION_TYPE_VULNERABILITY_ID: { label: 'id of the vulnerability', example: 'GHSA-jfh8-c2jp-5v3q' },
  CONDITION_TYPE_MALICIOUS_DEPENDENCY: { label: 'malicious dependency', valueLabels: YES_OR_NO },
  CONDITION_TYPE_TRIAGE_STATE: {
    label: 'triage state',
    valueLabels: {
      ...said('untriaged', 'open', 'reopened', 'reviewing'),
      fixing: 'to fix',
      ...said('ignored', 'provisionally_ignored', 'fixed'),
    },
  },
  CONDITION_TYPE_AGGREGATE_STATE: {
    label: 'state',
    valueLabels: {
      ...said('open', 'fixed', 'removed'),
      ignored_app: 'ignored by people',
      ignored_code: 'ignored in the code',
      reviewing: 'reviewing',
      fixing: 'to fix',
      provisionally_ignored_app: 'provisionally ignored',
      unknown: 'unknown',
    },
  },
  CONDITION_TYPE_HAS_EXTERNAL_TICKET: { label: 'has a ticket', valueLabels: YES_OR_NO },
  CONDITION_TYPE_AI_VERDICT: {
    label: 'verdict of AI',
    valueLabels: said('true_positive', 'false_positive', 'no_verdict'),
  },
  CONDITION_TYPE_AI_TAG: { label: 'tag of AI' },
  CONDITION_TYPE_WORKFLOW_ID: { label: 'workflow' },
  CONDITION_TYPE_FULL_SCAN: { label: 'full scan', valueLabels: YES_OR_NO },
};

export interface ActionConfigField {
  name: string;
  label: string;
  /** All that it can be; absent where any text goes. */
  valueLabels?: Readonly<Record<string, string>>;
  isOptional?: boolean;
}

export interface ActionType {
  /** As it stands in a sentence, after "then". */
  label: string;
  fields: readonly ActionConfigField[];
}

const WEBHOOK: ActionConfigField = { name: 'webhook_id', label: 'Id of the webhook' };
const CREDENTIAL: ActionConfigField = { name: 'credential_slug', label: 'Name of the stored credential' };

/** What can be done about findings. */
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
          ...said('open', 'reopened', 'reviewing'),
          fixing: 'to fix',
          ...said('ignored', 'provisionally_ignored', 'fixed'),
        },
      },
      {
        name: 'reason',
        label: 'Reason (only when ignored)',
        valueLabels: said('false_positive', 'acceptable_risk', 'no_time'),
        isOptional: true,
      },
    ],
  },
  ACTION_TYPE_EMAIL: {
    label: 'send a mail',
    fields: [{ name: 'recipients', label: 'Addresses, with commas between' }],
  },
  ACTION_TYPE_SLACK_APP: {
    label: 'tell a Slack channel',
    fields: [{ name: 'channel_id', label: 'Id of the channel' }],
  },
  ACTION_TYPE_SLACK_WEBHOOK: { label: 'call a Slack webhook', fields: [WEBHOOK] },
  ACTION_TYPE_WEBHOOK: { label: 'call a webhook', fields: [WEBHOOK] },
  ACTION_TYPE_JIRA: {
    label: 'open a Jira ticket',
    fields: [{ name: 'project_id', label: 'Id of the Jira project' }, CREDENTIAL],
  },
  ACTION_TYPE_S3: { label: 'write to a bucket', fields: [{ name: 'bucket', label: 'Bucket' }, CREDENTIAL] },
  ACTION_TYPE_PARTNER: { label: 'tell the cloud-security partner', fields: [CREDENTIAL] },
  ACTION_TYPE_DEVELOPER_EXCEPTION_REQUESTS: { label: 'let developers ask for an exception', fields: [] },
  ACTION_TYPE_OPEN_AUTOFIX_PR: { label: 'open a pull request with a fix', fields: [] },
  ACTION_TYPE_TRIGGER_WORKFLOW: {
    label: 'start a workflow',
    fields: [{ name: 'workflow_id', label: 'Id of the workflow' }],
  },
};
