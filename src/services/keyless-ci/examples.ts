import type { Examples } from '#kernel/contract/example.ts';
import type * as contract from './contract.ts';

const body = {
  name: 'GitHub Actions of acme',
  provider: 'GITHUB_ACTIONS' as const,
  issuer: 'https://token.actions.githubusercontent.com',
  audience: 'https://parapet.example.com',
  algorithm: 'RS256' as const,
  conditions: [
    { claim: 'repository', values: ['acme/*'] },
    { claim: 'ref', values: ['refs/heads/main', 'refs/pull/*'] },
  ],
  project: '{repository}',
  lifetimeSeconds: 900,
  enabled: true,
};

export const examples: Examples<typeof contract> = {
  listCiTrusts: (of) => ({ path: { deploymentId: of('Deployment') } }),
  createCiTrust: (of) => ({ path: { deploymentId: of('Deployment') }, body }),
  updateCiTrust: (of) => ({ path: { deploymentId: of('Deployment'), ciTrustId: of('CiTrust') }, body }),
  deleteCiTrust: (of) => ({ path: { deploymentId: of('Deployment'), ciTrustId: of('CiTrust') } }),
  exchangeCiToken: (of) => ({
    body: {
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange' as const,
      subject_token: of('CiJobToken'),
      subject_token_type: 'urn:ietf:params:oauth:token-type:id_token' as const,
      audience: of('Deployment'),
    },
  }),
};
