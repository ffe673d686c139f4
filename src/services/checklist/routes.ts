import { principalOf } from '#domain/access/principal.ts';
import { inviteAll } from '#domain/invitations/invite-all.ts';
import { PERMISSION_DENIED } from '#kernel/contract/common-faults.ts';
import { errorCountText } from '#kernel/contract/field-errors.ts';
import { group } from '#kernel/http/pipeline/group.ts';
import * as contract from './contract.ts';
import { inviteText } from './invite-text.ts';
import { levelOf, statusOf, validateChanges } from './rules.ts';
import * as store from './store.ts';

/** ChecklistService: the onboarding checklist of a deployment. */
export const checklist = group('ChecklistService', contract, {
  getChecklistStatus: async ({ tx, caller }) => {
    const { facts, marks } = await store.loadChecklist(tx, caller);
    return { taskStatus: statusOf(facts, marks) };
  },

  patchChecklist: async ({ body, tx, caller, answer }) => {
    const isPersonal = (type: contract.ChecklistTaskType) => levelOf(type) === 'TASK_LEVEL_USER';
    const needed = body.taskStatus.every(({ type }) => isPersonal(type)) ? 'checklist:read' : 'checklist:manage';
    if (!caller.permissions.has(needed)) throw PERMISSION_DENIED({ permission: needed });
    const before = await store.loadChecklist(tx, caller);
    const errors = validateChanges(body.taskStatus, statusOf(before.facts, before.marks));
    const [first] = errors;
    if (first) throw contract.CHECKLIST_REFUSED({ count: errorCountText(errors), first: first.detail }, { errors });
    const marksOf = (target: contract.ChecklistTaskStatus['state']) =>
      body.taskStatus
        .filter(({ state }) => state === target)
        .map(({ type }) => ({ owner: isPersonal(type) ? principalOf(caller) : '', task: type }));
    await store.mark(tx, caller.deployment, marksOf('TASK_STATE_COMPLETE'));
    await store.unmark(tx, caller.deployment, marksOf('TASK_STATE_INCOMPLETE'));
    answer.recordEffect({ object: 'checklist', before: [...before.marks], after: body.taskStatus });
    const { facts, marks } = await store.loadChecklist(tx, caller);
    return { taskStatus: statusOf(facts, marks) };
  },

  inviteMembers: async (call) => ({ message: inviteText(await inviteAll(call, { emails: call.body.emails })) }),
});
