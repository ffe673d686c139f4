import type { Examples } from '#kernel/contract/example.ts';
import type * as contract from './v1-contract.ts';

export const v1Examples: Examples<typeof contract> = {
  listProjects: (of) => ({ path: { deploymentSlug: of('Deployment') }, query: { page: 0, page_size: 100 } }),
  getProject: (of) => ({ path: { deploymentSlug: of('Deployment'), projectName: of('ProjectName') } }),
  updateProject: (of) => ({
    path: { deploymentSlug: of('Deployment'), projectName: of('ProjectName') },
    body: { tags: ['payments', 'pci'], primary_branch: 'refs/heads/main' },
  }),
  deleteProject: (of) => ({ path: { deploymentSlug: of('Deployment'), projectName: of('ProjectName') } }),
  addProjectTags: (of) => ({
    path: { deploymentSlug: of('Deployment'), projectName: of('ProjectName') },
    body: { tags: ['payments'] },
  }),
  deleteProjectTags: (of) => ({
    path: { deploymentSlug: of('Deployment'), projectName: of('ProjectName') },
    query: { tags: ['payments'] },
    body: {},
  }),
  toggleProjectManagedScan: (of) => ({
    path: { deploymentSlug: of('Deployment'), projectName: of('ProjectName') },
    body: { diff_scan: { enabled: true }, full_scan: { enabled: false } },
  }),
};
