import type { Examples } from '#kernel/contract/example.ts';
import type * as contract from './contract.ts';

export const examples: Examples<typeof contract> = {
  listAuditRecords: (of) => ({
    path: { deploymentId: of('Deployment') },
    query: { limit: '50', operation: 'TeamsService.createDeploymentTeam', outcome: 'success' },
  }),
  verifyAuditTrail: (of) => ({ path: { deploymentId: of('Deployment') } }),
};
