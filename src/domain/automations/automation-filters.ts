import type { FieldError } from '#kernel/contract/fault.ts';
import { isInt64 } from '#kernel/contract/field-kinds.ts';
import type { AutomationCondition, AutomationConditionType, AutomationFilters } from './shape.ts';

interface ValueRule {
  /** The allowed values, where they are a closed list. */
  words?: readonly string[];
  /** The prefix of the values where the API spells them as enum names. */
  prefix?: string;
  /** The syntax of values that are not a closed list. */
  form?: { accepts: (text: string) => boolean; description: string };
  /** A finding has at most one such value, so two different values exclude each other. */
  isSingle?: boolean;
  isUpperCase?: boolean;
}

const closedList = (prefix: string, ...words: string[]): ValueRule => ({ words, prefix, isSingle: true });
const yesOrNo = closedList('', 'true', 'false');
const anyText: ValueRule = {};
const matching = (pattern: RegExp, description: string): ValueRule => ({
  form: { accepts: (text) => pattern.test(text), description },
  isUpperCase: true,
});

/** The values that each condition type accepts; undefined for a type that cannot be evaluated. */
const VALUE_RULES: Record<AutomationConditionType, ValueRule | undefined> = {
  CONDITION_TYPE_REPOSITORY_ID: { form: { accepts: isInt64, description: 'the id of a project' }, isSingle: true },
  CONDITION_TYPE_REPOSITORY_TAG_ID: anyText,
  CONDITION_TYPE_PRIMARY_REF: yesOrNo,
  CONDITION_TYPE_PATH: anyText,
  CONDITION_TYPE_REF: anyText,
  CONDITION_TYPE_SEVERITY: closedList('severity_', 'critical', 'high', 'medium', 'low', 'info'),
  CONDITION_TYPE_CONFIDENCE: closedList('confidence_', 'high', 'medium', 'low'),
  CONDITION_TYPE_PRODUCT: closedList('product_', 'sast', 'sca', 'secrets', 'ai_sast'),
  CONDITION_TYPE_POLICY: anyText,
  CONDITION_TYPE_REACHABILITY: closedList(
    'reachability_',
    ...['reachable', 'always_reachable', 'conditionally_reachable', 'unreachable', 'no_reachability_analysis'],
    'unknown',
  ),
  CONDITION_TYPE_TRANSITIVITY: closedList('transitivity_', 'direct', 'transitive', 'unknown'),
  CONDITION_TYPE_UPGRADE_AVAILABILITY: yesOrNo,
  CONDITION_TYPE_EPSS_CATEGORY: closedList('epss_probability_', 'high', 'medium', 'low', 'none'),
  CONDITION_TYPE_VALIDATION_STATE: closedList(
    'validation_state_',
    ...['confirmed_valid', 'confirmed_invalid', 'validation_error', 'no_validator'],
  ),
  CONDITION_TYPE_CVE: matching(/^CVE-\d{4}-\d{4,19}$/, 'a CVE such as CVE-2021-44228'),
  CONDITION_TYPE_REPOSITORY_VISIBILITY: closedList('repository_visibility_', 'public', 'private', 'unknown'),
  CONDITION_TYPE_SECRET_TYPE: anyText,
  CONDITION_TYPE_AI_VERDICT: closedList('verdict_', 'true_positive', 'false_positive', 'no_verdict'),
  CONDITION_TYPE_AI_TAG: anyText,
  CONDITION_TYPE_AGGREGATE_STATE: closedList(
    'aggregate_issue_state_',
    ...['open', 'fixed', 'removed', 'ignored_app', 'ignored_code', 'reviewing', 'fixing', 'provisionally_ignored_app'],
    'unknown',
  ),
  CONDITION_TYPE_HAS_EXTERNAL_TICKET: yesOrNo,
  CONDITION_TYPE_VULNERABILITY_ID: anyText,
  CONDITION_TYPE_UNKNOWN: undefined,
  CONDITION_TYPE_MALICIOUS_DEPENDENCY: yesOrNo,
  CONDITION_TYPE_RULE_ID: anyText,
  CONDITION_TYPE_RULESET_ID: anyText,
  CONDITION_TYPE_WORKFLOW_ID: anyText,
  CONDITION_TYPE_VULNERABILITY_CLASS: anyText,
  CONDITION_TYPE_TRIAGE_STATE: closedList(
    'triage_state_',
    ...['untriaged', 'open', 'reopened', 'reviewing', 'fixing', 'ignored', 'provisionally_ignored', 'fixed'],
  ),
  CONDITION_TYPE_CWE: matching(/^CWE-\d{1,9}$/, 'a CWE such as CWE-79'),
  CONDITION_TYPE_OWASP: anyText,
  CONDITION_TYPE_BREAKING_CHANGE: yesOrNo,
  CONDITION_TYPE_FULL_SCAN: yesOrNo,
};

/** The closed list of values of a condition type, or undefined if it accepts other values. */
export const allowedValuesOf = (type: AutomationConditionType): readonly string[] | undefined =>
  VALUE_RULES[type]?.words;

function canonicalValue(type: AutomationConditionType, value: string): string {
  const rule = VALUE_RULES[type];
  const text = value.trim();
  if (rule?.isUpperCase) return text.toUpperCase();
  if (!rule?.words) return text;
  const lower = text.toLowerCase();
  const word = rule.words.find((one) => lower === one || lower === `${rule.prefix ?? ''}${one}`);
  return word ?? lower;
}

/** The filters with each value in canonical spelling, and no value twice. */
export const normalizeFilters = ({ mode, conditions }: AutomationFilters): AutomationFilters => ({
  mode,
  conditions: conditions.map(({ type, values, ...rest }) => ({
    ...rest,
    type,
    values: [...new Set(values.map((value) => canonicalValue(type, value)))],
  })),
});

function valueError(rule: ValueRule, value: string): string | undefined {
  if (value === '') return 'must not be empty';
  if (rule.words && !rule.words.includes(value)) return `expected one of ${rule.words.join(', ')}`;
  return rule.form && !rule.form.accepts(value) ? `expected ${rule.form.description}` : undefined;
}

function validateCondition({ type, mode, values }: AutomationCondition, pointer: string): FieldError[] {
  const rule = VALUE_RULES[type];
  if (!rule)
    return [{ pointer: `${pointer}/type`, code: 'UNSUPPORTED', detail: 'is not a condition that can be evaluated' }];
  const errors = values.flatMap((value, index): FieldError[] => {
    const detail = valueError(rule, value);
    return detail === undefined ? [] : [{ pointer: `${pointer}/values/${index}`, code: 'UNKNOWN_VALUE', detail }];
  });
  if (mode === 'MODE_UNKNOWN')
    errors.push({ pointer: `${pointer}/mode`, code: 'UNSUPPORTED', detail: 'does not say how the values combine' });
  return errors;
}

type Values = ReadonlySet<string>;

/** The values that a finding can still have under these conditions of one type; undefined for any value. */
function remainingValues(rule: ValueRule, conditions: readonly AutomationCondition[]): Values | undefined {
  let left: Values | undefined = rule.words && new Set(rule.words);
  for (const { mode, values } of conditions) {
    if (mode === 'MODE_NONE') continue;
    const named = new Set(values);
    // A finding has one such value, so it never has two different ones.
    const accepted: Values = mode === 'MODE_ALL' && named.size > 1 ? new Set() : named;
    left = left ? new Set([...left].filter((value) => accepted.has(value))) : accepted;
  }
  const excluded = new Set(conditions.filter(({ mode }) => mode === 'MODE_NONE').flatMap(({ values }) => values));
  return left && new Set([...left].filter((value) => !excluded.has(value)));
}

const isUnsatisfiable = (type: AutomationConditionType, conditions: readonly AutomationCondition[]): boolean => {
  const rule = VALUE_RULES[type];
  return rule?.isSingle === true && remainingValues(rule, conditions)?.size === 0;
};

/** Why no finding can ever match, or undefined if that is not certain. */
export function unsatisfiableReason({ mode, conditions }: AutomationFilters): string | undefined {
  if (mode === 'MODE_ALL') {
    const types = [...new Set(conditions.map(({ type }) => type))];
    const type = types.find((one) =>
      isUnsatisfiable(
        one,
        conditions.filter((condition) => condition.type === one),
      ),
    );
    return type && `its conditions of type ${type} exclude each other`;
  }
  if (mode === 'MODE_ANY' && conditions.every((condition) => isUnsatisfiable(condition.type, [condition])))
    return 'none of its conditions can ever hold';
  return undefined;
}

/** The errors of normalized filters that would keep them from running. */
export function validateFilters(filters: AutomationFilters, pointer: string): FieldError[] {
  const errors = filters.conditions.flatMap((condition, index) =>
    validateCondition(condition, `${pointer}/conditions/${index}`),
  );
  if (filters.mode === 'MODE_UNKNOWN')
    errors.push({ pointer: `${pointer}/mode`, code: 'UNSUPPORTED', detail: 'does not say how the conditions combine' });
  const reason = errors.length === 0 ? unsatisfiableReason(filters) : undefined;
  return reason === undefined ? errors : [{ pointer, code: 'NEVER_TRUE', detail: `can never be true: ${reason}` }];
}

/** The projects that the conditions name, with their JSON pointers. */
export const referencedProjects = (
  { conditions }: AutomationFilters,
  pointer: string,
): { id: string; pointer: string }[] =>
  conditions.flatMap(({ type, values }, at) =>
    type === 'CONDITION_TYPE_REPOSITORY_ID'
      ? values.map((id, index) => ({ id, pointer: `${pointer}/conditions/${at}/values/${index}` }))
      : [],
  );
