import type { FieldError } from '#kernel/contract/fault.ts';
import { isInt64 } from '#kernel/contract/field-kinds.ts';
import type { AutomationCondition, AutomationConditionType, AutomationFilters } from './shape.ts';

interface Kind {
  /** The closed list of what it can be; findings have at most one of them. */
  words?: readonly string[];
  /** How the words begin where the API spells them as names of an enum. */
  prefix?: string;
  /** What a value of an open list looks like. */
  form?: { accepts: (text: string) => boolean; called: string };
  /** Findings have at most one, so that two different ones exclude each other. */
  isSingle?: boolean;
  isUpperCase?: boolean;
}

const closed = (prefix: string, ...words: string[]): Kind => ({ words, prefix, isSingle: true });
const yesOrNo = closed('', 'true', 'false');
const open: Kind = {};
const like = (pattern: RegExp, called: string): Kind => ({
  form: { accepts: (text) => pattern.test(text), called },
  isUpperCase: true,
});

/** Which values each type of condition takes; undefined where there is nothing it could look at. */
const KINDS: Record<AutomationConditionType, Kind | undefined> = {
  CONDITION_TYPE_REPOSITORY_ID: { form: { accepts: isInt64, called: 'the id of a project' }, isSingle: true },
  CONDITION_TYPE_REPOSITORY_TAG_ID: open,
  CONDITION_TYPE_PRIMARY_REF: yesOrNo,
  CONDITION_TYPE_PATH: open,
  CONDITION_TYPE_REF: open,
  CONDITION_TYPE_SEVERITY: closed('severity_', 'critical', 'high', 'medium', 'low', 'info'),
  CONDITION_TYPE_CONFIDENCE: closed('confidence_', 'high', 'medium', 'low'),
  CONDITION_TYPE_PRODUCT: closed('product_', 'sast', 'sca', 'secrets', 'ai_sast'),
  CONDITION_TYPE_POLICY: open,
  CONDITION_TYPE_REACHABILITY: closed(
    'reachability_',
    ...['reachable', 'always_reachable', 'conditionally_reachable', 'unreachable', 'no_reachability_analysis'],
    'unknown',
  ),
  CONDITION_TYPE_TRANSITIVITY: closed('transitivity_', 'direct', 'transitive', 'unknown'),
  CONDITION_TYPE_UPGRADE_AVAILABILITY: yesOrNo,
  CONDITION_TYPE_EPSS_CATEGORY: closed('epss_probability_', 'high', 'medium', 'low', 'none'),
  CONDITION_TYPE_VALIDATION_STATE: closed(
    'validation_state_',
    ...['confirmed_valid', 'confirmed_invalid', 'validation_error', 'no_validator'],
  ),
  CONDITION_TYPE_CVE: like(/^CVE-\d{4}-\d{4,19}$/, 'a CVE such as CVE-2021-44228'),
  CONDITION_TYPE_REPOSITORY_VISIBILITY: closed('repository_visibility_', 'public', 'private', 'unknown'),
  CONDITION_TYPE_SECRET_TYPE: open,
  CONDITION_TYPE_AI_VERDICT: closed('verdict_', 'true_positive', 'false_positive', 'no_verdict'),
  CONDITION_TYPE_AI_TAG: open,
  CONDITION_TYPE_AGGREGATE_STATE: closed(
    'aggregate_issue_state_',
    ...['open', 'fixed', 'removed', 'ignored_app', 'ignored_code', 'reviewing', 'fixing', 'provisionally_ignored_app'],
    'unknown',
  ),
  CONDITION_TYPE_HAS_EXTERNAL_TICKET: yesOrNo,
  CONDITION_TYPE_VULNERABILITY_ID: open,
  CONDITION_TYPE_UNKNOWN: undefined,
  CONDITION_TYPE_MALICIOUS_DEPENDENCY: yesOrNo,
  CONDITION_TYPE_RULE_ID: open,
  CONDITION_TYPE_RULESET_ID: open,
  CONDITION_TYPE_WORKFLOW_ID: open,
  CONDITION_TYPE_VULNERABILITY_CLASS: open,
  CONDITION_TYPE_TRIAGE_STATE: closed(
    'triage_state_',
    ...['untriaged', 'open', 'reopened', 'reviewing', 'fixing', 'ignored', 'provisionally_ignored', 'fixed'],
  ),
  CONDITION_TYPE_CWE: like(/^CWE-\d{1,9}$/, 'a CWE such as CWE-79'),
  CONDITION_TYPE_OWASP: open,
  CONDITION_TYPE_BREAKING_CHANGE: yesOrNo,
  CONDITION_TYPE_FULL_SCAN: yesOrNo,
};

/** The closed list of values of a type of condition, or undefined where it takes others. */
export const allowedValuesOf = (type: AutomationConditionType): readonly string[] | undefined => KINDS[type]?.words;

function canonicalValue(type: AutomationConditionType, value: string): string {
  const kind = KINDS[type];
  const text = value.trim();
  if (kind?.isUpperCase) return text.toUpperCase();
  if (!kind?.words) return text;
  const lower = text.toLowerCase();
  const word = kind.words.find((one) => lower === one || lower === `${kind.prefix ?? ''}${one}`);
  return word ?? lower;
}

/** The same filters with each value in its one spelling and no value twice. */
export const normalizeFilters = ({ mode, conditions }: AutomationFilters): AutomationFilters => ({
  mode,
  conditions: conditions.map(({ type, values, ...rest }) => ({
    ...rest,
    type,
    values: [...new Set(values.map((value) => canonicalValue(type, value)))],
  })),
});

function problemOfValue(kind: Kind, value: string): string | undefined {
  if (value === '') return 'must not be empty';
  if (kind.words && !kind.words.includes(value)) return `expected one of ${kind.words.join(', ')}`;
  return kind.form && !kind.form.accepts(value) ? `expected ${kind.form.called}` : undefined;
}

function problemsOfCondition({ type, mode, values }: AutomationCondition, pointer: string): FieldError[] {
  const kind = KINDS[type];
  if (!kind)
    return [{ pointer: `${pointer}/type`, code: 'UNSUPPORTED', detail: 'names nothing that could be looked at' }];
  const errors = values.flatMap((value, index): FieldError[] => {
    const detail = problemOfValue(kind, value);
    return detail === undefined ? [] : [{ pointer: `${pointer}/values/${index}`, code: 'UNKNOWN_VALUE', detail }];
  });
  if (mode === 'MODE_UNKNOWN')
    errors.push({ pointer: `${pointer}/mode`, code: 'UNSUPPORTED', detail: 'says not how the values are meant' });
  return errors;
}

type Values = ReadonlySet<string>;

/** What a finding may still be after these conditions on the same thing; undefined for anything. */
function remaining(kind: Kind, conditions: readonly AutomationCondition[]): Values | undefined {
  let left: Values | undefined = kind.words && new Set(kind.words);
  for (const { mode, values } of conditions) {
    if (mode === 'MODE_NONE') continue;
    const named = new Set(values);
    // Of a thing that is there once, two different values are never both true.
    const wanted: Values = mode === 'MODE_ALL' && named.size > 1 ? new Set() : named;
    left = left ? new Set([...left].filter((value) => wanted.has(value))) : wanted;
  }
  const excluded = new Set(conditions.filter(({ mode }) => mode === 'MODE_NONE').flatMap(({ values }) => values));
  return left && new Set([...left].filter((value) => !excluded.has(value)));
}

const isNever = (type: AutomationConditionType, conditions: readonly AutomationCondition[]): boolean => {
  const kind = KINDS[type];
  return kind?.isSingle === true && remaining(kind, conditions)?.size === 0;
};

/** Why no finding could ever pass, or undefined. Only what is certain is said. */
export function unsatisfiableReason({ mode, conditions }: AutomationFilters): string | undefined {
  if (mode === 'MODE_ALL') {
    const types = [...new Set(conditions.map(({ type }) => type))];
    const type = types.find((one) =>
      isNever(
        one,
        conditions.filter((condition) => condition.type === one),
      ),
    );
    return type && `its conditions of type ${type} exclude each other`;
  }
  if (mode === 'MODE_ANY' && conditions.every((condition) => isNever(condition.type, [condition])))
    return 'none of its conditions can ever hold';
  return undefined;
}

/** What is wrong with canonical filters, by pointer; with problems they could not be run. */
export function validateFilters(filters: AutomationFilters, pointer: string): FieldError[] {
  const errors = filters.conditions.flatMap((condition, index) =>
    problemsOfCondition(condition, `${pointer}/conditions/${index}`),
  );
  if (filters.mode === 'MODE_UNKNOWN')
    errors.push({ pointer: `${pointer}/mode`, code: 'UNSUPPORTED', detail: 'says not how the conditions combine' });
  const never = errors.length === 0 ? unsatisfiableReason(filters) : undefined;
  return never === undefined ? errors : [{ pointer, code: 'NEVER_TRUE', detail: `can never be true: ${never}` }];
}

/** The projects that conditions name, with where each stands. */
export const referencedProjects = (
  { conditions }: AutomationFilters,
  pointer: string,
): { id: string; pointer: string }[] =>
  conditions.flatMap(({ type, values }, at) =>
    type === 'CONDITION_TYPE_REPOSITORY_ID'
      ? values.map((id, index) => ({ id, pointer: `${pointer}/conditions/${at}/values/${index}` }))
      : [],
  );
