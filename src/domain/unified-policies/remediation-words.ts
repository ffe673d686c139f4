import { COMPANIONS } from '#domain/automations/actions.ts';
import { allowedValuesOf } from '#domain/automations/automation-filters.ts';
import { CONDITION_KINDS } from '#domain/automations/conditions/condition-kinds.ts';
import { AutomationActionType, AutomationConditionType, type MatchMode } from '#domain/automations/shape.ts';

/** The conditions in plain words, for people who write bundles; undefined for the one that cannot be evaluated. */
const DESCRIPTIONS: Record<AutomationConditionType, string | undefined> = {
  CONDITION_TYPE_REPOSITORY_ID: 'The project, by its name.',
  CONDITION_TYPE_REPOSITORY_TAG_ID: 'A tag of the project.',
  CONDITION_TYPE_PRIMARY_REF: 'Whether the finding is on the primary branch.',
  CONDITION_TYPE_PATH: 'The file or its folder; * stands for any text.',
  CONDITION_TYPE_REF: 'A branch that has the finding; * stands for any text.',
  CONDITION_TYPE_SEVERITY: 'The severity.',
  CONDITION_TYPE_CONFIDENCE: 'The confidence of the rule.',
  CONDITION_TYPE_PRODUCT: 'The product that found it.',
  CONDITION_TYPE_POLICY: 'A ruleboard that applied to the project before the migration, by its slug.',
  CONDITION_TYPE_REACHABILITY: 'Whether the code reaches the vulnerable part of a dependency.',
  CONDITION_TYPE_TRANSITIVITY: 'Whether the project depends on the package directly.',
  CONDITION_TYPE_UPGRADE_AVAILABILITY: 'Whether a version without the vulnerability exists.',
  CONDITION_TYPE_EPSS_CATEGORY: 'How probable an exploit of the vulnerability is.',
  CONDITION_TYPE_VALIDATION_STATE: 'Whether a secret is valid.',
  CONDITION_TYPE_CVE: 'The CVE of the vulnerability.',
  CONDITION_TYPE_REPOSITORY_VISIBILITY: 'Whether the repository is public.',
  CONDITION_TYPE_SECRET_TYPE: 'The type of the secret.',
  CONDITION_TYPE_AI_VERDICT: 'The verdict of an analysis by a language model.',
  CONDITION_TYPE_AI_TAG: 'A tag from an analysis by a language model.',
  CONDITION_TYPE_AGGREGATE_STATE: 'The state of the finding.',
  CONDITION_TYPE_HAS_EXTERNAL_TICKET: 'Whether the finding has a ticket.',
  CONDITION_TYPE_VULNERABILITY_ID: 'Any id of the vulnerability.',
  CONDITION_TYPE_UNKNOWN: undefined,
  CONDITION_TYPE_MALICIOUS_DEPENDENCY: 'Whether the dependency is malicious.',
  CONDITION_TYPE_RULE_ID: 'The rule; * stands for any text.',
  CONDITION_TYPE_RULESET_ID: 'A ruleset that has the rule.',
  CONDITION_TYPE_WORKFLOW_ID: 'The workflow that found it.',
  CONDITION_TYPE_VULNERABILITY_CLASS: 'The class of the vulnerability.',
  CONDITION_TYPE_TRIAGE_STATE: 'What people decided about the finding.',
  CONDITION_TYPE_CWE: 'The CWE of the rule.',
  CONDITION_TYPE_OWASP: 'The OWASP category of the rule.',
  CONDITION_TYPE_BREAKING_CHANGE: 'Whether the upgrade would break the code.',
  CONDITION_TYPE_FULL_SCAN: 'Whether the scan was a full one.',
};

/** What bundles name by its name instead of its id. */
const NAMED: ReadonlySet<AutomationConditionType> = new Set([
  'CONDITION_TYPE_REPOSITORY_ID',
  'CONDITION_TYPE_REPOSITORY_TAG_ID',
  'CONDITION_TYPE_RULE_ID',
  'CONDITION_TYPE_RULESET_ID',
  'CONDITION_TYPE_WORKFLOW_ID',
]);

const plainWord = (type: string): string => type.replace(/^(CONDITION|ACTION)_TYPE_/, '').toLowerCase();

const CONDITION_WORDS = new Map(
  AutomationConditionType.options.flatMap((type): [AutomationConditionType, string][] =>
    CONDITION_KINDS[type] === undefined
      ? []
      : [[type, NAMED.has(type) ? plainWord(type).replace(/_id$/, '') : plainWord(type)]],
  ),
);

export const conditionWordOf = (type: AutomationConditionType): string | undefined => CONDITION_WORDS.get(type);

/** The type of condition that a word stands for, also with the ending `_id` of the automations API. */
export function conditionTypeOf(word: string): AutomationConditionType | undefined {
  const lower = word.trim().toLowerCase();
  return [...CONDITION_WORDS].find(([type, name]) => name === lower || plainWord(type) === lower)?.[0];
}

/** The actions of remediation policies, with what they do. */
const ACTION_DESCRIPTIONS: Partial<Record<AutomationActionType, string>> = {
  ACTION_TYPE_BLOCK: 'Fails the scan.',
  ACTION_TYPE_PR_COMMENT: 'Comments on the pull request.',
  ACTION_TYPE_JIRA: 'Opens a Jira ticket. Config: project_id, credential_slug.',
  ACTION_TYPE_SLACK_APP: 'Sends a Slack message. Config: channel_id or channel_name.',
  ACTION_TYPE_WEBHOOK: 'Calls a webhook. Config: webhook_name.',
  ACTION_TYPE_TRIAGE: 'Sets the triage state. Config: state, and reason where it is ignored.',
};

const ACTION_WORDS = new Map(
  AutomationActionType.options.flatMap((type): [AutomationActionType, string][] =>
    ACTION_DESCRIPTIONS[type] === undefined ? [] : [[type, plainWord(type)]],
  ),
);

export const actionWordOf = (type: AutomationActionType): string | undefined => ACTION_WORDS.get(type);

export function actionTypeOf(word: string): AutomationActionType | undefined {
  const lower = word.trim().toLowerCase();
  return [...ACTION_WORDS].find(([, name]) => name === lower)?.[0];
}

export const ACTION_WORD_LIST: readonly string[] = [...ACTION_WORDS.values()];

/** The action that another one needs beside it. */
export function companionWordOf(type: AutomationActionType): string | undefined {
  const companion = COMPANIONS[type];
  return companion && actionWordOf(companion);
}

const MODE_WORDS: Partial<Record<MatchMode, string>> = { MODE_ALL: 'all', MODE_ANY: 'any', MODE_NONE: 'none' };
const FILTER_MODES: readonly MatchMode[] = ['MODE_ALL', 'MODE_ANY'];
const CONDITION_MODES: readonly MatchMode[] = ['MODE_ANY', 'MODE_NONE'];

const wordOf = (modes: readonly MatchMode[]) => (mode: MatchMode) =>
  modes.includes(mode) ? MODE_WORDS[mode] : undefined;
const modeOf = (modes: readonly MatchMode[]) => (word: string) =>
  modes.find((mode) => MODE_WORDS[mode] === word.trim().toLowerCase());

export const filterModeWordOf = wordOf(FILTER_MODES);
export const filterModeOf = modeOf(FILTER_MODES);
export const conditionModeWordOf = wordOf(CONDITION_MODES);
export const conditionModeOf = modeOf(CONDITION_MODES);

/** Everything that a bundle of remediation policies can say. */
export const remediationVocabulary = () => ({
  condition_types: [...CONDITION_WORDS].map(([type, word]) => ({ type: word, description: DESCRIPTIONS[type] ?? '' })),
  action_types: [...ACTION_WORDS].map(([type, word]) => ({
    type: word,
    description: ACTION_DESCRIPTIONS[type] ?? '',
    requires: [companionWordOf(type)].flatMap((one) => one ?? []),
  })),
});

/** The conditions with a closed list of values. */
export const conditionValues = (): { type: string; values: string[] }[] =>
  [...CONDITION_WORDS].flatMap(([type, word]) => {
    const values = allowedValuesOf(type);
    return values ? [{ type: word, values: [...values] }] : [];
  });
