import { ACTIONS, CONDITIONS, TRIGGERS } from './words.ts';

export interface Condition {
  type: string;
  mode: string;
  values: readonly string[];
}

export interface Action {
  type: string;
  config: Readonly<Record<string, string>>;
  id?: string;
}

export interface Automation {
  triggerSource: string;
  filters: { mode: string; conditions: readonly Condition[] };
  actions: readonly Action[];
}

/** A list as it is said: `a, b or c`. */
export function listed(words: readonly string[], conjunction: 'and' | 'or'): string {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} ${conjunction} ${words.at(-1)}`;
}

type NameOf = (projectId: string) => string;

const isYesOrNo = (words: Readonly<Record<string, string>> | undefined) => words !== undefined && 'true' in words;

/** A condition as part of a sentence. */
export function conditionText({ type, mode, values }: Condition, nameOf: NameOf): string {
  const { label = type, words } = CONDITIONS[type] ?? {};
  const isNot = mode === 'MODE_NONE';
  if (isYesOrNo(words) && values.length === 1) {
    const isTrue = (values[0] === 'true') !== isNot;
    return isTrue ? label : `not ${label}`;
  }
  const names = values.map((value) =>
    type === 'CONDITION_TYPE_REPOSITORY_ID' ? nameOf(value) : (words?.[value] ?? value),
  );
  const list = listed(names, mode === 'MODE_ALL' ? 'and' : 'or');
  return `${label} is ${isNot ? 'not ' : ''}${list === '' ? '…' : list}`;
}

/** An action as part of a sentence. */
export function actionText({ type, config }: Action): string {
  const { label = type, fields } = ACTIONS[type] ?? { fields: [] };
  const told = fields.flatMap(({ name, words }) => {
    const value = config[name] ?? '';
    return value === '' ? [] : [words?.[value] ?? value];
  });
  return told.length === 0 ? label : `${label} (${told.join(', ')})`;
}

const JOINTS: Record<string, { before: string; conjunction: 'and' | 'or' }> = {
  MODE_ALL: { before: '', conjunction: 'and' },
  MODE_ANY: { before: '', conjunction: 'or' },
  MODE_NONE: { before: 'none of: ', conjunction: 'or' },
};

/** The whole automation, to be read aloud. */
export function sentenceOf({ triggerSource, filters, actions }: Automation, nameOf: NameOf): string {
  const { before, conjunction } = JOINTS[filters.mode] ?? { before: '', conjunction: 'and' };
  const conditions = filters.conditions.map((condition) => conditionText(condition, nameOf));
  const trigger = TRIGGERS[triggerSource] ?? triggerSource;
  const when = conditions.length === 0 ? '…' : `${before}${listed(conditions, conjunction)}`;
  const then = actions.length === 0 ? '…' : listed(actions.map(actionText), 'and');
  return `When ${trigger} and ${when}, then ${then}.`;
}
