import type { Examples } from '#kernel/contract/example.ts';
import type * as contract from './contract.ts';

export const examples: Examples<typeof contract> = {
  getDeploymentByToken: () => ({}),
  createDeployment: (of) => ({ body: { deploymentName: of('DeploymentName') } }),
  getDeployment: (of) => ({ path: { deploymentId: of('Deployment') } }),
  updateDeployment: (of) => ({
    path: { deploymentId: of('Deployment') },
    body: { displayName: 'Acme Corporation', defaultUserRole: 'ORG_ROLE_MEMBER' },
  }),
  getDeploymentAuthorizedActions: (of) => ({ path: { deploymentId: of('Deployment') } }),
  getDeploymentDefaultUserRole: (of) => ({ path: { deploymentId: of('Deployment') } }),
  getDeploymentGitHubAppStatus: (of) => ({
    path: { deploymentId: of('Deployment') },
    query: { withCodeAccess: true },
  }),
  updateDeploymentHasDeepscan: (of) => ({
    path: { deploymentId: of('Deployment') },
    body: { has_deepscan: true },
  }),
  updateDeploymentHasDependencyQuery: (of) => ({
    path: { deploymentId: of('Deployment') },
    body: { hasDependencyQuery: true },
  }),
  updateDeploymentHasTriageViaComment: (of) => ({
    path: { deploymentId: of('Deployment') },
    body: { hasTriageViaComment: true },
  }),
  sendDeploymentToggleFeedback: (of) => ({
    path: { deploymentId: of('Deployment') },
    body: { featureAction: 'secrets:disabled', feedback: 'We use another scanner for secrets.' },
  }),
  getDeploymentUsers: (of) => ({ path: { deploymentId: of('Deployment') }, query: { showActive: true } }),
  addDeploymentUser: (of) => ({
    path: { deploymentId: of('Deployment') },
    body: { email: `${of('Fresh')}@example.com`, name: 'Ada Example', role: 'ORG_ROLE_MEMBER' },
  }),
  listDeploymentUsers: (of) => ({
    path: { deploymentId: of('Deployment') },
    body: { options: { pageSize: 100, sortBy: 'name' }, filters: { query: 'a', showActive: true } },
  }),
  removeDeploymentUser: (of) => ({
    path: { deploymentId: of('Deployment'), userId: of('User') },
    query: { keepTokens: true },
  }),
  patchDeploymentUser: (of) => ({
    path: { deploymentId: of('Deployment'), userId: of('User') },
    body: { newRole: 'ORG_ROLE_READONLY' },
  }),
};
