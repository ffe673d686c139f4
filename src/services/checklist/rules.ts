import type { FieldError } from '#kernel/contract/fault.ts';
import {
  CHECKLIST_TASK_TYPES,
  type ChecklistTaskChange,
  type ChecklistTaskStatus,
  type ChecklistTaskType,
} from './contract.ts';

/** Facts about a deployment that complete tasks automatically. */
export interface ChecklistFacts {
  hasColleagues: boolean;
  hasScan: boolean;
  hasTokenForCi: boolean;
  hasDecidedOnCode: boolean;
  hasDecidedOnDependency: boolean;
  hasOwnRules: boolean;
  hasIgnores: boolean;
}

/** The fact that completes a task. */
const COMPLETED_BY: Partial<Record<ChecklistTaskType, keyof ChecklistFacts>> = {
  TASK_TYPE_ADD_TEAM_MEMBER: 'hasColleagues',
  TASK_TYPE_SCAN_CODE: 'hasScan',
  TASK_TYPE_SET_UP_RECURRING_SCAN: 'hasTokenForCi',
  TASK_TYPE_TRIAGE_FIRST_PARTY: 'hasDecidedOnCode',
  TASK_TYPE_TRIAGE_DEPENDENCY: 'hasDecidedOnDependency',
  TASK_TYPE_CUSTOMIZE_RULES: 'hasOwnRules',
  TASK_TYPE_CONFIGURE_IGNORES: 'hasIgnores',
};

/** The fact without which a task is locked. */
const LOCKED_WITHOUT: Partial<Record<ChecklistTaskType, keyof ChecklistFacts>> = {
  TASK_TYPE_TRIAGE_FIRST_PARTY: 'hasScan',
  TASK_TYPE_TRIAGE_DEPENDENCY: 'hasScan',
  TASK_TYPE_CONFIGURE_IGNORES: 'hasScan',
};

const PERSONAL_TASKS: readonly ChecklistTaskType[] = ['TASK_TYPE_COMPLETE_TOUR', 'TASK_TYPE_JOIN_SLACK'];

export const levelOf = (type: ChecklistTaskType): ChecklistTaskStatus['level'] =>
  PERSONAL_TASKS.includes(type) ? 'TASK_LEVEL_USER' : 'TASK_LEVEL_ORG';

function stateOf(
  type: ChecklistTaskType,
  facts: ChecklistFacts,
  marks: ReadonlySet<string>,
): ChecklistTaskStatus['state'] {
  const fact = COMPLETED_BY[type];
  if (marks.has(type) || (fact && facts[fact])) return 'TASK_STATE_COMPLETE';
  const needed = LOCKED_WITHOUT[type];
  return needed && !facts[needed] ? 'TASK_STATE_LOCKED' : 'TASK_STATE_INCOMPLETE';
}

/** The checklist of a caller; the marks are those of the deployment and of the caller. */
export const statusOf = (facts: ChecklistFacts, marks: ReadonlySet<string>): ChecklistTaskStatus[] =>
  CHECKLIST_TASK_TYPES.map((type) => ({ type, state: stateOf(type, facts, marks), level: levelOf(type) }));

/** The errors of a change; empty if all of it is allowed. */
export function validateChanges(
  changes: readonly ChecklistTaskChange[],
  present: readonly ChecklistTaskStatus[],
): FieldError[] {
  const states = new Map(present.map(({ type, state }) => [type, state]));
  return changes.flatMap(({ type, state, level }, index) => {
    const refuse = (code: string, detail: string): FieldError[] => [{ pointer: `#/taskStatus/${index}`, code, detail }];
    if (changes.findIndex((other) => other.type === type) < index) return refuse('REPEATED', `${type} is listed twice`);
    if (level !== undefined && level !== levelOf(type))
      return refuse('WRONG_LEVEL', `${type} has the level ${levelOf(type)}`);
    if (state === 'TASK_STATE_LOCKED') return refuse('NOT_BY_HAND', 'tasks cannot be locked manually');
    if (state === 'TASK_STATE_COMPLETE' && states.get(type) === 'TASK_STATE_LOCKED')
      return refuse('TASK_LOCKED', `${type} is locked until there is a scan`);
    return [];
  });
}
