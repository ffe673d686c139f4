import { z } from 'zod';
import { id, line, oneOf, timestamp } from '#kernel/contract/proto-fields.ts';

export const MatchMode = oneOf(['MODE_ALL', 'MODE_ANY', 'MODE_NONE', 'MODE_UNKNOWN']);
export type MatchMode = z.output<typeof MatchMode>;

export const AutomationConditionType = oneOf([
  'CONDITION_TYPE_REPOSITORY_ID',
  'CONDITION_TYPE_REPOSITORY_TAG_ID',
  'CONDITION_TYPE_PRIMARY_REF',
  'CONDITION_TYPE_PATH',
  'CONDITION_TYPE_REF',
  'CONDITION_TYPE_SEVERITY',
  'CONDITION_TYPE_CONFIDENCE',
  'CONDITION_TYPE_PRODUCT',
  'CONDITION_TYPE_POLICY',
  'CONDITION_TYPE_REACHABILITY',
  'CONDITION_TYPE_TRANSITIVITY',
  'CONDITION_TYPE_UPGRADE_AVAILABILITY',
  'CONDITION_TYPE_EPSS_CATEGORY',
  'CONDITION_TYPE_VALIDATION_STATE',
  'CONDITION_TYPE_CVE',
  'CONDITION_TYPE_REPOSITORY_VISIBILITY',
  'CONDITION_TYPE_SECRET_TYPE',
  'CONDITION_TYPE_AI_VERDICT',
  'CONDITION_TYPE_AI_TAG',
  'CONDITION_TYPE_AGGREGATE_STATE',
  'CONDITION_TYPE_HAS_EXTERNAL_TICKET',
  'CONDITION_TYPE_VULNERABILITY_ID',
  'CONDITION_TYPE_UNKNOWN',
  'CONDITION_TYPE_MALICIOUS_DEPENDENCY',
  'CONDITION_TYPE_RULE_ID',
  'CONDITION_TYPE_RULESET_ID',
  'CONDITION_TYPE_WORKFLOW_ID',
  'CONDITION_TYPE_VULNERABILITY_CLASS',
  'CONDITION_TYPE_TRIAGE_STATE',
  'CONDITION_TYPE_CWE',
  'CONDITION_TYPE_OWASP',
  'CONDITION_TYPE_BREAKING_CHANGE',
  'CONDITION_TYPE_FULL_SCAN',
]);
export type AutomationConditionType = z.output<typeof AutomationConditionType>;

export const AutomationActionType = oneOf([
  'ACTION_TYPE_BLOCK',
  'ACTION_TYPE_PR_COMMENT',
  'ACTION_TYPE_JIRA',
  'ACTION_TYPE_SLACK_APP',
  'ACTION_TYPE_EMAIL',
  'ACTION_TYPE_WEBHOOK',
  'ACTION_TYPE_SLACK_WEBHOOK',
  'ACTION_TYPE_S3',
  'ACTION_TYPE_UNKNOWN',
  'ACTION_TYPE_PARTNER',
  'ACTION_TYPE_TRIAGE',
  'ACTION_TYPE_DEVELOPER_EXCEPTION_REQUESTS',
  'ACTION_TYPE_OPEN_AUTOFIX_PR',
  'ACTION_TYPE_TRIGGER_WORKFLOW',
]);
export type AutomationActionType = z.output<typeof AutomationActionType>;

export const AutomationTriggerSource = oneOf([
  'TRIGGER_SOURCE_SCAN',
  'TRIGGER_SOURCE_AI_ANALYSIS',
  'TRIGGER_SOURCE_MANUAL',
  'TRIGGER_SOURCE_SUPPLY_CHAIN_INCIDENT',
  'TRIGGER_SOURCE_WORKFLOW',
  'TRIGGER_SOURCE_ISSUE_TRIAGED',
  'TRIGGER_SOURCE_UPGRADE_GUIDANCE',
  'TRIGGER_SOURCE_PATCH_READY',
]);
export type AutomationTriggerSource = z.output<typeof AutomationTriggerSource>;

/** What happens when conditions hold: everything, a record of what would happen, or nothing. */
export const AutomationMode = z.enum(['live', 'simulate', 'paused']);
export type AutomationMode = z.output<typeof AutomationMode>;

export const AutomationCondition = z.object({
  mode: MatchMode,
  type: AutomationConditionType,
  values: z.array(z.string()),
});
export type AutomationCondition = z.output<typeof AutomationCondition>;

const MAX_VALUES = 1000;

/** A condition as a request gives it. */
export const AutomationDraftCondition = z.object({
  mode: MatchMode.optional(),
  type: AutomationConditionType,
  values: z.array(line(256, 1)).min(1).max(MAX_VALUES),
});

export const AutomationFilters = z.object({ mode: MatchMode, conditions: z.array(AutomationCondition) });
export type AutomationFilters = z.output<typeof AutomationFilters>;

export const AutomationAction = z.object({
  type: AutomationActionType,
  config: z.record(z.string(), z.string()),
  id: z.string(),
});
export type AutomationAction = z.output<typeof AutomationAction>;

/** Actions that run on findings that match conditions. */
export const Automation = z.object({
  filters: AutomationFilters,
  actions: z.array(AutomationAction),
  active: z.boolean(),
  name: z.string(),
  description: z.string(),
  createdBy: z.string(),
  createdAt: timestamp(),
  updatedAt: timestamp(),
  id: id('Automation'),
  updatedBy: z.string(),
  internalOnly: z.boolean(),
  triggerSource: AutomationTriggerSource,
});
export type Automation = z.output<typeof Automation>;

/** What the examples of the API description show. */
export const exampleIds = { Automation: '5', DeletedAutomation: '5' };
