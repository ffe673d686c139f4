import type { Examples } from '#kernel/contract/example.ts';
import type * as contract from './contract.ts';

export const examples: Examples<typeof contract> = {
  createAdoScmApp: (of) => ({
    body: {
      deploymentId: of('Deployment'),
      organizationName: 'acme',
      projectName: 'shop',
      clientId: 'c',
      tenantId: 't',
    },
  }),
  completeAdoScmAppInstall: (of) => ({ body: { deploymentId: of('Deployment'), scmAppId: of('ScmApp') } }),
  createScmAppRequest: (of) => ({
    body: { deploymentId: of('Deployment'), namespace: 'acme', githubEntityType: 'GITHUB_ENTITY_TYPE_ORG' },
  }),
  completeScmAppRequest: (of) => ({ body: { requestId: of('ScmAppRequest'), code: '0123456789abcdef' } }),
  listScmApps: (of) => ({ path: { deploymentId: of('Deployment') } }),
  getGitHubAppStatus: (of) => ({ path: { deploymentId: of('Deployment') }, query: { namespace: 'acme' } }),
  getScmApp: (of) => ({ path: { deploymentId: of('Deployment'), requestId: of('ScmAppRequest') } }),
  deleteScmApp: (of) => ({ path: { deploymentId: of('Deployment'), scmAppId: of('ScmApp') } }),
  addAdoScmProject: (of) => ({
    path: { deploymentId: of('Deployment'), scmAppId: of('ScmApp') },
    body: { organizationName: 'acme', projectName: 'shop' },
  }),
  rotateScmAppWebhookSecret: (of) => ({ path: { deploymentId: of('Deployment'), scmAppId: of('ScmApp') } }),
};
