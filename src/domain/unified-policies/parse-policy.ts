import { normalizeAction, validateActions } from '#domain/automations/actions.ts';
import { normalizeFilters, validateFilters } from '#domain/automations/automation-filters.ts';
import type { AutomationAction, AutomationCondition, AutomationFilters } from '#domain/automations/shape.ts';
import { rulesetNameOf } from '#domain/rules/rules.ts';
import { rulesOfRuleset } from '#domain/rules/shipped-rules.ts';
import type { FieldError } from '#kernel/contract/fault.ts';
import { packPathOf } from './detection-bundle.ts';
import type { BundleFaultCode } from './fault-shape.ts';
import { type BundleProblem, unknownReferences } from './policy-checks.ts';
import type { PolicyNames } from './policy-names.ts';
import {
  ACTION_WORD_LIST,
  actionTypeOf,
  companionWordOf,
  conditionModeOf,
  conditionTypeOf,
  conditionWordOf,
  filterModeOf,
} from './remediation-words.ts';
import type { RemediationPolicyDraft } from './shape.ts';

export type ParsedAction = Pick<AutomationAction, 'type' | 'config'>;

/** What a policy of a bundle says, as an automation, and what is wrong with it. */
export interface ParsedPolicy {
  filters: AutomationFilters;
  actions: ParsedAction[];
  problems: BundleProblem[];
}

export interface ParseContext {
  slug: string;
  names: PolicyNames;
  knownRules: ReadonlySet<string>;
  /** Tells whether the stored policy already has the value, whose referent may be gone. */
  isStored: (type: AutomationCondition['type'], value: string) => boolean;
}

/** The conditions of a draft with words that exist, their values as the bundle has them. */
export const readableConditions = ({ filters }: RemediationPolicyDraft): AutomationCondition[] =>
  filters.conditions.flatMap(({ type, mode = 'any', values }) => {
    const condition = { type: conditionTypeOf(type), mode: conditionModeOf(mode) };
    return condition.type === undefined || condition.mode === undefined
      ? []
      : [{ type: condition.type, mode: condition.mode, values }];
  });

function wordProblems({ filters, actions }: RemediationPolicyDraft, slug: string): BundleProblem[] {
  const problems: BundleProblem[] = [];
  const add = (code: BundleFaultCode, message: string, context: Record<string, string>) =>
    problems.push({ code, message: `${slug}: ${message}`, slug, context });
  if (filterModeOf(filters.mode) === undefined)
    add('INVALID_CONDITION_VALUE', `the mode of filters must be all or any, not ${filters.mode}`, {
      mode: filters.mode,
    });
  for (const { type, mode = 'any' } of filters.conditions) {
    if (conditionTypeOf(type) === undefined)
      add('UNSUPPORTED_CONDITION_TYPE', `there is no condition type ${type}`, { type });
    if (conditionModeOf(mode) === undefined)
      add('INVALID_CONDITION_VALUE', `the mode of a condition must be any or none, not ${mode}`, { type, mode });
  }
  for (const { type } of actions)
    if (actionTypeOf(type) === undefined)
      add('UNSUPPORTED_ACTION_TYPE', `there is no action type ${type}; use ${ACTION_WORD_LIST.join(', ')}`, { type });
  return problems;
}

type Missing = { kind: string; value: string };

const REFERENCE_KINDS: Partial<Record<AutomationCondition['type'], string>> = {
  CONDITION_TYPE_REPOSITORY_ID: 'project',
  CONDITION_TYPE_REPOSITORY_TAG_ID: 'project_tag',
  CONDITION_TYPE_POLICY: 'policy',
  CONDITION_TYPE_RULE_ID: 'rule',
  CONDITION_TYPE_RULESET_ID: 'ruleset',
};

/** The stored form of a value; undefined if it names nothing that exists. */
function storedValueOf(type: AutomationCondition['type'], value: string, context: ParseContext): string | undefined {
  const { names, knownRules, isStored } = context;
  const asIs = isStored(type, value) ? value : undefined;
  switch (type) {
    case 'CONDITION_TYPE_REPOSITORY_ID':
    case 'CONDITION_TYPE_REPOSITORY_TAG_ID':
    case 'CONDITION_TYPE_POLICY':
      return names.valueOf.get(type)?.get(value) ?? asIs;
    case 'CONDITION_TYPE_RULE_ID':
      return value.includes('*') || knownRules.has(value) ? value : asIs;
    case 'CONDITION_TYPE_RULESET_ID':
      return rulesOfRuleset(rulesetNameOf(value)) ? packPathOf(value) : asIs;
    default:
      return value;
  }
}

function resolveCondition(
  { type, mode, values }: AutomationCondition,
  context: ParseContext,
): { condition: AutomationCondition; missing: Missing[] } {
  const missing: Missing[] = [];
  const stored = values.flatMap((value) => {
    const found = storedValueOf(type, value.trim(), context);
    if (found === undefined) missing.push({ kind: REFERENCE_KINDS[type] ?? type, value });
    return found ?? [];
  });
  return { condition: { type, mode, values: stored }, missing };
}

const CONDITION_AT = /\/conditions\/(\d+)/;

/** An error of the automations API in the words of bundles. */
function filterProblem(
  { pointer, code, detail }: FieldError,
  conditions: readonly AutomationCondition[],
  slug: string,
): BundleProblem {
  const condition = conditions[Number(CONDITION_AT.exec(pointer)?.[1] ?? -1)];
  const type = (condition && conditionWordOf(condition.type)) ?? 'filters';
  const value = condition?.values[Number(/\/values\/(\d+)$/.exec(pointer)?.[1] ?? -1)];
  return {
    code: code === 'NEVER_TRUE' ? 'NEVER_TRUE' : 'INVALID_CONDITION_VALUE',
    message: `${slug}: ${type}${value === undefined ? '' : ` ${value}`} ${detail}`,
    slug,
    context: { type, ...(value !== undefined && { value }) },
  };
}

function actionProblem(
  { pointer, code, detail }: FieldError,
  actions: readonly ParsedAction[],
  slug: string,
): BundleProblem {
  const { type } = actions[Number(/^#\/actions\/(\d+)/.exec(pointer)?.[1] ?? -1)] ?? {};
  const word = type === undefined ? '' : type.replace('ACTION_TYPE_', '').toLowerCase();
  if (code === 'MISSING_DEPENDENT_ACTION') {
    const companion = (type && companionWordOf(type)) ?? '';
    return {
      code,
      message: `${slug}: the action ${word} requires the action ${companion} in the same policy`,
      slug,
      context: { type: word, missing_companion: companion },
      members: { missing_companion: companion },
    };
  }
  const member = pointer.split('/').at(-1) ?? '';
  return {
    code: 'INVALID_ACTION_CONFIG',
    message: `${slug}: ${member} of the action ${word} ${detail}`,
    slug,
    context: { type: word, member },
  };
}

const missingWebhooks = (actions: readonly ParsedAction[], { names }: ParseContext): Missing[] =>
  actions.flatMap(({ type, config }) => {
    const name = type === 'ACTION_TYPE_WEBHOOK' ? config['webhook_name'] : undefined;
    return name === undefined || names.knownWebhooks.has(name) ? [] : [{ kind: 'webhook', value: name }];
  });

/** Reads one policy of a bundle; `problems` has everything that is wrong with it. */
export function parsePolicy(draft: RemediationPolicyDraft, context: ParseContext): ParsedPolicy {
  const { slug } = context;
  const resolved = readableConditions(draft).map((condition) => resolveCondition(condition, context));
  const filters = normalizeFilters({
    mode: filterModeOf(draft.filters.mode) ?? 'MODE_ALL',
    conditions: resolved.map(({ condition }) => condition).filter(({ values }) => values.length > 0),
  });
  const actions = draft.actions.flatMap(({ type: word, config = {} }): ParsedAction[] => {
    const type = actionTypeOf(word);
    return type === undefined ? [] : [normalizeAction({ type, config })];
  });
  const missing = [...resolved.flatMap((one) => one.missing), ...missingWebhooks(actions, context)];
  const problems = [
    ...wordProblems(draft, slug),
    ...unknownReferences(missing, slug),
    ...validateFilters(filters, '#/filters').map((error) => filterProblem(error, filters.conditions, slug)),
    ...validateActions(actions, { trigger: 'TRIGGER_SOURCE_SCAN', pointer: '#/actions' }).map((error) =>
      actionProblem(error, actions, slug),
    ),
  ];
  return { filters, actions, problems };
}
