import { ACTION_TYPES, CONDITION_TYPES, TRIGGER_LABELS } from './automation-types.ts';

export interface AutomationCondition {
  type: string;
  mode: string;
  values: readonly string[];
}

export interface AutomationAction {
  type: string;
  config: Readonly<Record<string, string>>;
  id?: string;
}

export interface AutomationDefinition {
  triggerSource: string;
  filters: { mode: string; conditions: readonly AutomationCondition[] };
  actions: readonly AutomationAction[];
}

/** Joins words as in a sentence: `a, b or c`. */
export function joinWords(words: readonly string[], conjunction: 'and' | 'or'): string {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} ${conjunction} ${words.at(-1)}`;
}

/** The names of what definitions refer to by id. */
export interface AutomationNames {
  project: (id: string) => string;
  webhook: (id: string) => string;
  channel: (id: string) => string;
}

export const WITHOUT_NAMES: AutomationNames = {
  project: (id) => id,
  webhook: (id) => id,
  channel: (id) => id,
};

const isBoolean = (words: Readonly<Record<string, string>> | undefined) => words !== undefined && 'true' in words;

/** Longer lists are cut: a sentence is read at a glance. */
const MAX_NAMED = 5;

/** Describes a condition as part of a sentence. */
export function describeCondition({ type, mode, values }: AutomationCondition, of: AutomationNames): string {
  const { label = type, valueLabels } = CONDITION_TYPES[type] ?? {};
  const isNot = mode === 'MODE_NONE';
  if (isBoolean(valueLabels) && values.length === 1) {
    const isTrue = (values[0] === 'true') !== isNot;
    return isTrue ? label : `not ${label}`;
  }
  const names = values.map((value) =>
    type === 'CONDITION_TYPE_REPOSITORY_ID' ? of.project(value) : (valueLabels?.[value] ?? value),
  );
  const shown =
    names.length > MAX_NAMED + 1 ? [...names.slice(0, MAX_NAMED), `${names.length - MAX_NAMED} others`] : names;
  const list = joinWords(shown, mode === 'MODE_ALL' ? 'and' : 'or');
  return `${label} is ${isNot ? 'not ' : ''}${list === '' ? '…' : list}`;
}

/** Describes an action as part of a sentence. */
export function describeAction({ type, config }: AutomationAction, of: AutomationNames): string {
  const { label = type, fields } = ACTION_TYPES[type] ?? { fields: [] };
  const details = fields.flatMap(({ name, valueLabels }) => {
    const value = config[name] ?? '';
    if (value === '') return [];
    if (name === 'webhook_id') return [of.webhook(value)];
    return [name === 'channel_id' ? of.channel(value) : (valueLabels?.[value] ?? value)];
  });
  return details.length === 0 ? label : `${label} (${details.join(', ')})`;
}

const COMBINATIONS: Record<string, { before: string; conjunction: 'and' | 'or' }> = {
  MODE_ALL: { before: '', conjunction: 'and' },
  MODE_ANY: { before: '', conjunction: 'or' },
  MODE_NONE: { before: 'none of: ', conjunction: 'or' },
};

/** Describes an automation in one sentence. */
export function describeAutomation(
  { triggerSource, filters, actions }: AutomationDefinition,
  of: AutomationNames,
): string {
  const { before, conjunction } = COMBINATIONS[filters.mode] ?? { before: '', conjunction: 'and' };
  const conditions = filters.conditions.map((condition) => describeCondition(condition, of));
  const trigger = TRIGGER_LABELS[triggerSource] ?? triggerSource;
  const when = conditions.length === 0 ? '…' : `${before}${joinWords(conditions, conjunction)}`;
  const then =
    actions.length === 0
      ? '…'
      : joinWords(
          actions.map((action) => describeAction(action, of)),
          'and',
        );
  return `When ${trigger} and ${when}, then ${then}.`;
}
