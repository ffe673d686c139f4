import type { FieldError } from '#kernel/contract/fault.ts';
import {
  CHECKLIST_TASK_TYPES,
  type ChecklistTaskChange,
  type ChecklistTaskStatus,
  type ChecklistTaskType,
} from './contract.ts';

/** What is seen of a deployment, without asking anybody. */
export interface ChecklistFacts {
  hasColleagues: boolean;
  hasScan: boolean;
  hasTokenForCi: boolean;
  hasDecidedOnCode: boolean;
  hasDecidedOnDependency: boolean;
  hasOwnRules: boolean;
  hasIgnores: boolean;
}

/** Tasks that are done once something is there. */
const OBSERVED: Partial<Record<ChecklistTaskType, keyof ChecklistFacts>> = {
  TASK_TYPE_ADD_TEAM_MEMBER: 'hasColleagues',
  TASK_TYPE_SCAN_CODE: 'hasScan',
  TASK_TYPE_SET_UP_RECURRING_SCAN: 'hasTokenForCi',
  TASK_TYPE_TRIAGE_FIRST_PARTY: 'hasDecidedOnCode',
  TASK_TYPE_TRIAGE_DEPENDENCY: 'hasDecidedOnDependency',
  TASK_TYPE_CUSTOMIZE_RULES: 'hasOwnRules',
  TASK_TYPE_CONFIGURE_IGNORES: 'hasIgnores',
};

/** Tasks that nobody can do before there is something to do them with. */
const LOCKED_WITHOUT: Partial<Record<ChecklistTaskType, keyof ChecklistFacts>> = {
  TASK_TYPE_TRIAGE_FIRST_PARTY: 'hasScan',
  TASK_TYPE_TRIAGE_DEPENDENCY: 'hasScan',
  TASK_TYPE_CONFIGURE_IGNORES: 'hasScan',
};

const OF_PERSON: readonly ChecklistTaskType[] = ['TASK_TYPE_COMPLETE_TOUR', 'TASK_TYPE_JOIN_SLACK'];

export const levelOf = (type: ChecklistTaskType): ChecklistTaskStatus['level'] =>
  OF_PERSON.includes(type) ? 'TASK_LEVEL_USER' : 'TASK_LEVEL_ORG';

function stateOf(
  type: ChecklistTaskType,
  facts: ChecklistFacts,
  marks: ReadonlySet<string>,
): ChecklistTaskStatus['state'] {
  const observed = OBSERVED[type];
  if (marks.has(type) || (observed && facts[observed])) return 'TASK_STATE_COMPLETE';
  const needed = LOCKED_WITHOUT[type];
  return needed && !facts[needed] ? 'TASK_STATE_LOCKED' : 'TASK_STATE_INCOMPLETE';
}

/** The whole list as one reader sees it; the marks are those of the deployment and the reader's own. */
export const statusOf = (facts: ChecklistFacts, marks: ReadonlySet<string>): ChecklistTaskStatus[] =>
  CHECKLIST_TASK_TYPES.map((type) => ({ type, state: stateOf(type, facts, marks), level: levelOf(type) }));

/** Why entries of a change are refused; an empty list when all of them may be done. */
export function validateChanges(
  changes: readonly ChecklistTaskChange[],
  present: readonly ChecklistTaskStatus[],
): FieldError[] {
  const states = new Map(present.map(({ type, state }) => [type, state]));
  return changes.flatMap(({ type, state, level }, index) => {
    const wrong = (code: string, detail: string): FieldError[] => [{ pointer: `#/taskStatus/${index}`, code, detail }];
    if (changes.findIndex((other) => other.type === type) < index)
      return wrong('REPEATED', `${type} stands there twice`);
    if (level !== undefined && level !== levelOf(type)) return wrong('WRONG_LEVEL', `${type} is of ${levelOf(type)}`);
    if (state === 'TASK_STATE_LOCKED') return wrong('NOT_BY_HAND', 'tasks are locked by what is missing, not by hand');
    if (state === 'TASK_STATE_COMPLETE' && states.get(type) === 'TASK_STATE_LOCKED')
      return wrong('TASK_LOCKED', `${type} is locked until there is a scan`);
    return [];
  });
}
