import type { Examples } from '#kernel/contract/example.ts';
import type * as contract from './contract.ts';

const credential = {
  clientId: 'parapet',
  clientSecret: 'the secret that the vendor shows once',
  apiUrl: 'https://api.vendor.example/graphql',
  tokenUrl: 'https://auth.vendor.example/oauth/token',
};

export const examples: Examples<typeof contract> = {
  listPartnerCredentials: (of) => ({ path: { deploymentId: of('Deployment') } }),
  createPartnerCredential: (of) => ({ path: { deploymentId: of('Deployment') }, body: credential }),
  validatePartnerCredential: (of) => ({
    path: { deploymentId: of('Deployment') },
    body: { id: of('PartnerCredential') },
  }),
  deletePartnerCredential: (of) => ({ path: { deploymentId: of('Deployment'), id: of('PartnerCredential') } }),
  getPartnerCredential: (of) => ({ path: { deploymentId: of('Deployment'), id: of('PartnerCredential') } }),
  updatePartnerCredential: (of) => ({
    path: { deploymentId: of('Deployment'), id: of('PartnerCredential') },
    body: credential,
  }),
};
