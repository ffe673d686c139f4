import type { Examples } from '#kernel/contract/example.ts';
import type * as contract from './contract.ts';

const paging = { limit: '50', cursor: '' };

export const examples: Examples<typeof contract> = {
  getInbox: (of) => ({ path: { deployment: of('Deployment') } }),
  listReview: (of) => ({ path: { deployment: of('Deployment') }, query: paging }),
  listAssigned: (of) => ({ path: { deployment: of('Deployment') }, query: paging }),
  markDone: (of) => ({ path: { deployment: of('Deployment') }, body: { issueIds: [of('Finding')] } }),
  markUndone: (of) => ({ path: { deployment: of('Deployment') }, body: { issueIds: [of('Finding')] } }),
  listApprovals: (of) => ({ path: { deployment: of('Deployment') }, query: paging }),
  getExpiring: (of) => ({ path: { deployment: of('Deployment') } }),
  getFailing: (of) => ({ path: { deployment: of('Deployment') } }),
  decideException: (of) => ({
    path: { deployment: of('Deployment'), requestId: of('ExceptionRequest') },
    body: { isApproved: true, note: 'Until the new gateway is there.' },
  }),
};
