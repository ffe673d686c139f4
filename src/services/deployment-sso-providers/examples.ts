import type { Examples } from '#kernel/contract/example.ts';
import type * as contract from './contract.ts';

const provider = (name: string) => ({
  name,
  type: 'SSO_TYPE_OPENID' as const,
  displayName: 'Acme sign-in',
  emailDomain: 'acme.example',
  openidData: {
    clientId: 'parapet',
    clientSecret: 'the secret that the identity provider shows once',
    wellKnownUrl: 'https://id.acme.example/.well-known/openid-configuration',
  },
});

export const examples: Examples<typeof contract> = {
  listDeploymentSsoProviders: (of) => ({ path: { deploymentId: of('Deployment') } }),
  createDeploymentSsoProvider: (of) => ({
    path: { deploymentId: of('Deployment') },
    body: { enabled: true, provider: provider(`acme ${of('Fresh')}`) },
  }),
  updateDeploymentSsoProvider: (of) => ({
    path: { deploymentId: of('Deployment'), providerId: of('SsoProvider') },
    body: { enabled: false, provider: provider(`acme ${of('Fresh')}`) },
  }),
  deleteDeploymentSsoProvider: (of) => ({
    path: { deploymentId: of('Deployment'), providerId: of('SsoProvider') },
  }),
  testDeploymentSsoProvider: (of) => ({
    path: { deploymentId: of('Deployment'), providerId: of('SsoProvider') },
  }),
};
