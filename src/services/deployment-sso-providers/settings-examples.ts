import type { Examples } from '#kernel/contract/example.ts';
import type * as contract from './settings-contract.ts';

export const settingsExamples: Examples<typeof contract> = {
  getSsoSignIn: (of) => ({ path: { deploymentId: of('Deployment'), providerId: of('SsoProvider') } }),
  updateSsoSignIn: (of) => ({
    path: { deploymentId: of('Deployment'), providerId: of('SsoProvider') },
    body: {
      groupsClaim: 'groups',
      idTokenAlg: '',
      trustsEmail: false,
      groups: [{ group: 'security', role: 'ORG_ROLE_MEMBER', teamIds: [of('Team')] }],
    },
  }),
  previewSsoGroups: (of) => ({
    path: { deploymentId: of('Deployment'), providerId: of('SsoProvider') },
    body: { memberOf: ['security'] },
  }),
  startSsoTest: (of) => ({
    path: { deploymentId: of('Deployment'), providerId: of('StartableSsoProvider') },
    body: {},
  }),
  listSsoAttempts: (of) => ({ path: { deploymentId: of('Deployment') } }),
  listSsoDomains: (of) => ({ path: { deploymentId: of('Deployment') } }),
  addSsoDomain: (of) => ({ path: { deploymentId: of('Deployment') }, body: { domain: `${of('Fresh')}.example` } }),
  verifySsoDomain: (of) => ({ path: { deploymentId: of('Deployment') }, body: { domain: of('SsoDomain') } }),
  deleteSsoDomain: (of) => ({ path: { deploymentId: of('Deployment'), domain: of('SsoDomain') } }),
};
