import type { Examples } from '#kernel/contract/example.ts';
import type * as contract from './contract.ts';

export const examples: Examples<typeof contract> = {
  listDeploymentTags: (of) => ({ path: { deploymentId: of('Deployment') } }),
  findDeploymentTags: (of) => ({ path: { deploymentId: of('Deployment') }, body: { includeCounts: true } }),
  getDeploymentTag: (of) => ({ path: { deploymentId: of('Deployment'), repositoryTag: of('Tag') } }),
  updateDeploymentTag: (of) => ({
    path: { deploymentId: of('Deployment'), repositoryTag: of('Tag') },
    body: { name: `team:${of('Fresh')}` },
  }),
  deleteDeploymentTag: (of) => ({ path: { deploymentId: of('Deployment'), repositoryTag: of('Tag') } }),
};
