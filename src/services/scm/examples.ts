import type { Examples } from '#kernel/contract/example.ts';
import type * as contract from './contract.ts';

export const examples: Examples<typeof contract> = {
  listScmConfig: (of) => ({ path: { deploymentId: of('Deployment') } }),
  createScmConfig: (of) => ({
    path: { deploymentId: of('Deployment') },
    body: {
      type: 'SCM_TYPE_UNKNOWN',
      provider: 'gitea',
      namespace: of('Fresh'),
      baseUrl: 'https://git.example.com',
      accessToken: '0123456789abcdef0123456789abcdef01234567',
    },
  }),
  searchScmConfig: (of) => ({
    path: { deploymentId: of('Deployment') },
    body: { filter: { namespace: 'acme' }, sortBy: 'SCM_CONFIG_SORT_BY_ID' },
  }),
  deleteScmConfig: (of) => ({ path: { deploymentId: of('Deployment'), configId: of('ScmConfig') } }),
  patchScmConfig: (of) => ({
    path: { deploymentId: of('Deployment'), configId: of('ScmConfig') },
    body: { autoScan: true, autoScanSettings: { diffEnabled: true } },
  }),
  syncScmConfig: (of) => ({ path: { deploymentId: of('Deployment'), configId: of('ScmConfig') }, body: {} }),
  checkScmConfig: (of) => ({ path: { deploymentId: of('Deployment'), configId: of('ScmConfig') } }),
};
