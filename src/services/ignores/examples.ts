import type { Examples } from '#kernel/contract/example.ts';
import type * as contract from './contract.ts';

export const examples: Examples<typeof contract> = {
  getDeploymentProductIgnores: (of) => ({ path: { deploymentId: of('Deployment') } }),
  createDeploymentProductIgnores: (of) => ({
    path: { deploymentId: of('Deployment') },
    body: { productIgnores: [{ product: 'PRODUCT_SAST', ignores: ['tests/', '*.min.js'] }] },
  }),
  updateDeploymentProductIgnores: (of) => ({
    path: { deploymentId: of('Deployment') },
    body: { productIgnores: [{ product: 'PRODUCT_SECRETS', ignores: ['fixtures/**', '!fixtures/real/**'] }] },
  }),
  deleteDeploymentProductIgnores: (of) => ({
    path: { deploymentId: of('Deployment') },
    query: { product: 'PRODUCT_SCA' },
  }),
};
