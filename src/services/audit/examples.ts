import type { Examples } from '#kernel/contract/example.ts';
import type * as contract from './contract.ts';

export const examples: Examples<typeof contract> = {
  listAuditRecords: (of) => ({
    path: { deploymentId: of('Deployment') },
    query: { limit: '50', outcome: 'success', since: '2026-01-01T00:00:00Z' },
  }),
  verifyAuditTrail: (of) => ({ path: { deploymentId: of('Deployment') } }),
};
