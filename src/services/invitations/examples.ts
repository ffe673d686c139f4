import type { Examples } from '#kernel/contract/example.ts';
import type * as contract from './contract.ts';

export const examples: Examples<typeof contract> = {
  listInvitations: (of) => ({ path: { deploymentId: of('Deployment') }, query: { limit: '100', cursor: '' } }),
  deleteInvitation: (of) => ({ path: { deploymentId: of('Deployment'), invitationId: of('Invitation') } }),
};
