import type { Examples } from '#kernel/contract/example.ts';
import type * as contract from './contract.ts';
import type * as projectContract from './project-contract.ts';

export const examples: Examples<typeof contract> = {
  getManagedScanSettings: (of) => ({ path: { deploymentId: of('Deployment') } }),
  createManagedScanSettings: (of) => ({
    path: { deploymentId: of('DeploymentWithoutScanSettings') },
    body: { managedScanSettings: { failOpen: true, failOpenTimeout: '600s' } },
  }),
  updateManagedScanSettings: (of) => ({
    path: { deploymentId: of('Deployment'), managedScanSettingsId: Number(of('ManagedScanSettings')) },
    body: { managedScanSettings: { failOpen: false } },
  }),
  deleteManagedScanSettings: (of) => ({
    path: { deploymentId: of('Deployment'), managedScanSettingsId: Number(of('ManagedScanSettings')) },
  }),
};

export const projectExamples: Examples<typeof projectContract> = {
  bulkGetProjectManagedScanSettings: (of) => ({
    path: { deploymentId: of('Deployment') },
    body: { projectIds: [of('Project')] },
  }),
  getProjectManagedScanSettings: (of) => ({
    path: { deploymentId: of('Deployment'), projectId: of('Project') },
  }),
};
