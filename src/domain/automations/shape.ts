import { z } from 'zod';
import { id, oneOf, timestamp } from '#kernel/contract/proto.ts';

export const Mode = oneOf(['MODE_ALL', 'MODE_ANY', 'MODE_NONE', 'MODE_UNKNOWN']);
export type Mode = z.output<typeof Mode>;

export const ConditionType = oneOf([
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
export type ConditionType = z.output<typeof ConditionType>;

export const ActionType = oneOf([
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
export type ActionType = z.output<typeof ActionType>;

export const TriggerSource = oneOf([
  'TRIGGER_SOURCE_SCAN',
  'TRIGGER_SOURCE_AI_ANALYSIS',
  'TRIGGER_SOURCE_MANUAL',
  'TRIGGER_SOURCE_SUPPLY_CHAIN_INCIDENT',
  'TRIGGER_SOURCE_WORKFLOW',
  'TRIGGER_SOURCE_ISSUE_TRIAGED',
  'TRIGGER_SOURCE_UPGRADE_GUIDANCE',
  'TRIGGER_SOURCE_PATCH_READY',
]);
export type TriggerSource = z.output<typeof TriggerSource>;

export const Condition = z.object({ mode: Mode, type: ConditionType, values: z.array(z.string()) });
export type Condition = z.output<typeof Condition>;

export const Filters = z.object({ mode: Mode, conditions: z.array(Condition) });
export type Filters = z.output<typeof Filters>;

export const Action = z.object({ type: ActionType, config: z.record(z.string(), z.string()), id: z.string() });
export type Action = z.output<typeof Action>;

/** What shall be done about findings when conditions hold. */
export const Automation = z.object({
  filters: Filters,
  actions: z.array(Action),
  active: z.boolean(),
  name: z.string(),
  description: z.string(),
  createdBy: z.string(),
  createdAt: timestamp(),
  updatedAt: timestamp(),
  id: id('Automation'),
  updatedBy: z.string(),
  internalOnly: z.boolean(),
  triggerSource: TriggerSource,
});
export type Automation = z.output<typeof Automation>;
