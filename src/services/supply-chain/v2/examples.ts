import type { Examples } from '#kernel/contract/example.ts';
import type * as contract from './contract.ts';

export const examples: Examples<typeof contract> = {
  listDependenciesGet: (of) => ({
    path: { deploymentId: of('Deployment') },
    query: { 'dependencyFilter.name': 'left-pad', cursor: '0', pageSize: 1000 },
  }),
  listDependenciesPost: (of) => ({
    path: { deploymentId: of('Deployment') },
    body: {
      dependencyFilter: {
        packageFilters: [
          { name: 'left-pad', exactNameMatch: true, versionLowerBound: '>=1.0.0', versionUpperBound: '<2.0.0' },
        ],
      },
      cursor: '0',
      pageSize: 1000,
    },
  }),
  listRepositoriesForDependencies: (of) => ({
    path: { deploymentId: of('Deployment') },
    body: { dependencyFilter: { ecosystem: ['npm'] }, cursor: 0, pageSize: 5 },
  }),
  listLockfilesForDependencies: (of) => ({
    path: { deploymentId: of('Deployment'), repositoryId: of('Project') },
    body: { cursor: '', pageSize: 5 },
  }),
  listFindingsForAdvisory: (of) => ({
    path: { deploymentId: of('Deployment'), advisoryId: 'CVE-2021-44228' },
    body: { pageSize: 25 },
  }),
  generateSbomAsync: (of) => ({
    path: { deploymentId: of('Deployment') },
    body: {
      repositoryId: of('Project'),
      formatVersion: { format: 'SBOM_FORMAT_CYCLONEDX', cyclonedxVersion: 'SBOM_CYCLONE_DX_VERSION_V1_6' },
      sbomOutputFormat: 'SBOM_OUTPUT_FORMAT_JSON',
      metadataSupplier: { name: 'Acme', url: 'https://acme.example' },
    },
  }),
};
