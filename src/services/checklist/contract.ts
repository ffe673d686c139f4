import { z } from 'zod';
import { INVITATION_QUOTA } from '#domain/invitations/shape.ts';
import { PERMISSION_DENIED } from '#kernel/contract/common-faults.ts';
import { fault } from '#kernel/contract/fault.ts';
import { operation } from '#kernel/contract/operation.ts';
import { deployment, id, oneOf } from '#kernel/contract/proto-fields.ts';

export const MAX_INVITED = 20;

export const CHECKLIST_REFUSED = fault(
  'CHECKLIST_REFUSED',
  400,
  'The change to the checklist has {count}: {first}',
  'Correct each entry listed in `errors`; nothing was changed.',
);

export const CHECKLIST_TASK_TYPES = [
  'TASK_TYPE_COMPLETE_TOUR',
  'TASK_TYPE_SCAN_CODE',
  'TASK_TYPE_TRIAGE_FIRST_PARTY',
  'TASK_TYPE_TRIAGE_DEPENDENCY',
  'TASK_TYPE_SET_UP_RECURRING_SCAN',
  'TASK_TYPE_CONFIGURE_IGNORES',
  'TASK_TYPE_JOIN_SLACK',
  'TASK_TYPE_CUSTOMIZE_RULES',
  'TASK_TYPE_ENABLE_INTEGRATION',
  'TASK_TYPE_ADD_TEAM_MEMBER',
  'TASK_TYPE_WRITE_CUSTOM_RULE',
  'TASK_TYPE_SETUP_SCM_PROVIDER',
  'TASK_TYPE_ENABLE_ASSISTANT',
  'TASK_TYPE_ENABLE_SERVICE_MULTIMODAL',
] as const;
export type ChecklistTaskType = (typeof CHECKLIST_TASK_TYPES)[number];

export const ChecklistTaskType = oneOf(CHECKLIST_TASK_TYPES);
export const ChecklistTaskState = oneOf(['TASK_STATE_COMPLETE', 'TASK_STATE_INCOMPLETE', 'TASK_STATE_LOCKED']);
export const ChecklistTaskLevel = oneOf(['TASK_LEVEL_ORG', 'TASK_LEVEL_USER']);

export const ChecklistTaskStatus = z.object({
  type: ChecklistTaskType,
  state: ChecklistTaskState,
  level: ChecklistTaskLevel,
});
export type ChecklistTaskStatus = z.output<typeof ChecklistTaskStatus>;

export const ChecklistTaskChange = z.object({
  type: ChecklistTaskType,
  state: ChecklistTaskState,
  level: ChecklistTaskLevel.optional(),
});
export type ChecklistTaskChange = z.output<typeof ChecklistTaskChange>;

const base = '/api/onboarding/deployments/{deploymentId}';
const path = { deploymentId: deployment() };
const repeated = { deploymentId: id('Deployment').optional() };
const maturity = 'experimental';

export const getChecklistStatus = operation({
  route: `GET ${base}/checklist`,
  summary: 'Get the onboarding checklist',
  description:
    'Tasks are completed automatically (by members, scans, tokens, triage) or manually. Locked tasks need a scan.',
  maturity,
  allow: 'checklist:read',
  path,
  reply: { taskStatus: z.array(ChecklistTaskStatus) },
});

export const patchChecklist = operation({
  route: `PATCH ${base}/checklist`,
  summary: 'Mark tasks of the onboarding checklist manually',
  description:
    'Everybody marks tasks of `TASK_LEVEL_USER` for themselves; tasks of `TASK_LEVEL_ORG` need the permission ' +
    '`checklist:manage`. Tasks that were completed automatically stay complete. Either all changes apply, or none.',
  maturity,
  allow: 'self',
  path,
  body: { ...repeated, taskStatus: z.array(ChecklistTaskChange).max(CHECKLIST_TASK_TYPES.length) },
  reply: { taskStatus: z.array(ChecklistTaskStatus) },
  faults: [CHECKLIST_REFUSED, PERMISSION_DENIED],
});

const keyOf = (email: string) => email.normalize('NFKC').trim().toLowerCase();

export const inviteMembers = operation({
  route: `POST ${base}/invite_members`,
  summary: 'Invite people',
  description:
    'Each address gets a link by mail that works once, for 24 hours, and grants the default role. If the server ' +
    'sends no mail, `message` contains the links. An earlier link to the same address becomes invalid.',
  maturity,
  allow: 'user:manage',
  credential: 'user',
  isStrict: true,
  path,
  body: {
    ...repeated,
    emails: z
      .array(z.email().max(320))
      .min(1)
      .max(MAX_INVITED)
      .refine((emails) => new Set(emails.map(keyOf)).size === emails.length, { error: 'contains an address twice' }),
  },
  reply: { message: z.string() },
  faults: [INVITATION_QUOTA],
});
