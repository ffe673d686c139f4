import type { Examples } from '#kernel/contract/example.ts';
import type * as contract from './contract.ts';
import type * as v1 from './v1-contract.ts';

export const examples: Examples<typeof contract> = {
  listScans: (of) => ({
    path: { deploymentId: of('Deployment'), projectId: of('Project') },
    body: { limit: '100', filters: { types: ['SCAN_TYPE_FULL', 'SCAN_TYPE_DIFF'] } },
  }),
  getScan: (of) => ({ path: { deploymentId: of('Deployment'), scanId: of('Scan') } }),
  getScanDiff: (of) => ({ path: { deploymentId: of('Deployment'), scanId: of('Scan') } }),
  listHeldClosings: (of) => ({ path: { deploymentId: of('Deployment'), projectId: of('Project') } }),
  confirmHeldClosings: (of) => ({ path: { deploymentId: of('Deployment'), scanId: of('HoldingScan') } }),
  rejectHeldClosings: (of) => ({ path: { deploymentId: of('Deployment'), scanId: of('HoldingScan') } }),
  getAgentScan: (of) => ({ path: { scanId: of('Scan') } }),
  retryScans: (of) => ({ path: { deploymentId: of('Deployment') }, body: { scanIds: [of('Scan')] } }),
};

export const v1Examples: Examples<typeof v1> = {
  getScan: (of) => ({ path: { deploymentId: of('Deployment'), scanId: of('Scan') } }),
  searchScans: (of) => ({
    path: { deploymentId: of('Deployment') },
    body: { limit: '100', statuses: ['SCAN_STATUS_COMPLETED'] },
  }),
};
