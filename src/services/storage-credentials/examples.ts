import type { Examples } from '#kernel/contract/example.ts';
import type * as contract from './contract.ts';

export const examples: Examples<typeof contract> = {
  listStorageCredentials: (of) => ({ path: { deploymentId: of('Deployment') } }),
  createStorageCredential: (of) => ({
    path: { deploymentId: of('Deployment') },
    body: {
      name: 'Archive',
      endpoint: 'https://s3.eu-central-1.amazonaws.com',
      region: 'eu-central-1',
      accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
      secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    },
  }),
  deleteStorageCredential: (of) => ({
    path: { deploymentId: of('Deployment'), storageCredentialId: of('StorageCredential') },
  }),
};
