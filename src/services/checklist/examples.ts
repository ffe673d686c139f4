import type { Examples } from '#kernel/contract/example.ts';
import type * as contract from './contract.ts';

export const examples: Examples<typeof contract> = {
  getChecklistStatus: (of) => ({ path: { deploymentId: of('Deployment') } }),
  patchChecklist: (of) => ({
    path: { deploymentId: of('Deployment') },
    body: {
      deploymentId: of('Deployment'),
      taskStatus: [{ type: 'TASK_TYPE_COMPLETE_TOUR', state: 'TASK_STATE_COMPLETE', level: 'TASK_LEVEL_USER' }],
    },
  }),
  inviteMembers: (of) => ({
    path: { deploymentId: of('Deployment') },
    body: { emails: [of('NewEmail')] },
  }),
};
