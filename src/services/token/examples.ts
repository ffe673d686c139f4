import type { Examples } from '#kernel/contract/example.ts';
import type * as contract from './contract.ts';

export const examples: Examples<typeof contract> = {
  deleteTokens: (of) => ({ path: { deploymentId: of('Deployment') }, query: { purpose: 'TOKEN_PURPOSE_CLI' } }),
  createToken: (of) => ({
    path: { deploymentId: of('Deployment') },
    body: { name: 'ci of the web shop', role: 'TOKEN_ROLE_WEBAPI', webApi: true },
  }),
  listTokens: (of) => ({ path: { deploymentId: of('Deployment') }, query: { limit: '100', cursor: '' } }),
  deleteToken: (of) => ({ path: { deploymentId: of('Deployment'), tokenId: of('Token') } }),
  rotateToken: (of) => ({
    path: { deploymentId: of('Deployment'), tokenId: of('Token') },
    body: { overlapSeconds: 3600 },
  }),
};
