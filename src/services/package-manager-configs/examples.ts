import type { Examples } from '#kernel/contract/example.ts';
import type * as contract from './contract.ts';

export const examples: Examples<typeof contract> = {
  getPackageManagerAuthConfigs: (of) => ({ path: { deploymentId: of('Deployment') } }),
  postPackageManagerAuthCredentials: (of) => ({
    path: { deploymentId: of('Deployment') },
    body: {
      packageManagerConfigForInsert: {
        config: {
          name: 'Private packages',
          url: 'https://npm.example.com/',
          requiresAuth: true,
          ecosystem: 'npm',
          additionalConfig: { npm: { scope: '@acme' } },
          registryType: 'REGISTRY_TYPE_PACKAGE_MANAGER_AUTH',
        },
        npm: { token: 'npm_made-up-token' },
      },
    },
  }),
  updatePackageManagerAuthCredentials: (of) => ({
    path: { deploymentId: of('Deployment'), packageManagerConfigId: Number(of('PackageManagerConfig')) },
    body: { packageManagerConfigForInsert: { config: { name: 'Packages of the company' } } },
  }),
  deletePackageManagerAuthConfigs: (of) => ({
    path: { deploymentId: of('Deployment'), packageManagerConfigId: Number(of('PackageManagerConfig')) },
  }),
};
