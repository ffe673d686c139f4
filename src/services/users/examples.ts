import type { Examples } from '#kernel/contract/example.ts';
import type * as contract from './contract.ts';

export const examples: Examples<typeof contract> = {
  listUserAuthorizedResources: () => ({}),
  getUser: () => ({}),
  listUserOrgs: () => ({}),
  listUserJoinableOrgs: () => ({}),
  leaveDeployment: (of) => ({ path: { deploymentId: of('LeavableDeployment') } }),
  getUserSettings: () => ({}),
  patchUserSettings: () => ({
    body: { subscribe: true, findingsTourState: 'TOUR_STATE_COMPLETE', eventSource: 'AccountSettingsPanel' },
  }),
};
