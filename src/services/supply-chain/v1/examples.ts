import type { Examples } from '#kernel/contract/example.ts';
import type * as contract from './contract.ts';

export const examples: Examples<typeof contract> = {
  listDependencies: (of) => ({
    path: { deploymentId: of('Deployment') },
    body: { dependencyFilter: { packageFilters: [{ name: 'pad', versionUpperBound: '<2.0.0' }] }, pageSize: 1000 },
  }),
  listRepositoriesForDependencies: (of) => ({
    path: { deploymentId: of('Deployment') },
    body: { dependencyFilter: { ecosystem: ['npm'] }, pageSize: 5 },
  }),
  listLockfilesForDependencies: (of) => ({
    path: { deploymentId: of('Deployment'), repositoryId: of('Project') },
    body: { cursor: '', pageSize: 5 },
  }),
  createSbomExport: (of) => ({
    path: { deploymentId: of('Deployment') },
    body: { repositoryId: of('Project'), sbomOutputFormat: 'SBOM_OUTPUT_FORMAT_JSON' },
  }),
  getSbomExport: (of) => ({ path: { deploymentId: of('Deployment'), taskToken: of('TaskToken') } }),
};
