import type { Examples } from '#kernel/contract/example.ts';
import type * as contract from './contract.ts';

export const examples: Examples<typeof contract> = {
  bulkEditRepos: (of) => ({
    path: { deploymentId: of('Deployment') },
    body: { changes: [{ repoId: of('Project'), change: { updateTags: true, tags: ['payments'] } }] },
  }),
  bulkProvisionRepos: (of) => ({
    path: { deploymentId: of('Deployment') },
    body: { filters: { ids: [of('Project')] }, ghaOptions: { prEnabled: true, pushEnabled: true } },
  }),
  refreshProjectsAsync: (of) => ({ path: { deploymentId: of('ConnectedDeployment') }, body: { withCodeAccess: true } }),
  bulkAddRepoSecret: (of) => ({
    path: { deploymentId: of('Deployment') },
    body: { filters: { ids: [of('Project')] }, excludeIds: [] },
  }),
  getReposByTag: (of) => ({ path: { deploymentId: of('Deployment') } }),
  getReposCount: (of) => ({ path: { deploymentId: of('Deployment') }, body: { filters: { search: 'acme/' } } }),
  bulkApplyRepoUpdate: (of) => ({
    path: { deploymentId: of('Deployment') },
    body: { filters: { ids: [of('Project')] }, change: { managedScans: { diffScan: true, fullScan: true } } },
  }),
  searchRepos: (of) => ({ path: { deploymentId: of('Deployment') }, body: { filters: { archived: false } } }),
  getRepo: (of) => ({ path: { deploymentId: of('Deployment'), idOrName: of('Project') } }),
  editRepo: (of) => ({
    path: { deploymentId: of('Deployment'), idOrName: of('Project') },
    body: { tagsChanges: [{ operation: 'ADD_TAGS', tags: ['payments'] }], primaryBranch: 'refs/heads/main' },
  }),
  syncRepo: (of) => ({ path: { deploymentId: of('Deployment'), repoId: of('Project') }, body: {} }),
  listProjects: (of) => ({
    path: { deploymentId: of('Deployment') },
    body: { pageSize: 100, filter: { statuses: ['PROJECT_STATUS_SETUP', 'PROJECT_STATUS_NOT_SETUP'] } },
  }),
  getProject: (of) => ({ path: { deploymentId: of('Deployment'), projectId: of('Project') } }),
  deleteProject: (of) => ({ path: { deploymentId: of('Deployment'), projectId: of('Project') } }),
  getBranch: (of) => ({
    path: { deploymentId: of('Deployment'), projectId: of('Project'), branchId: of('Branch') },
  }),
};
