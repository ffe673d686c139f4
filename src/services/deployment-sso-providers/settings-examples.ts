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
      emailClaim: '',
      secondCertificate: '',
      allowsIdpInitiated: false,
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
  readSamlMetadata: (of) => ({
    path: { deploymentId: of('Deployment') },
    body: {
      metadata:
        '<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://id.acme.example">' +
        '<IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><KeyDescriptor>' +
        '<KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><X509Data><X509Certificate>MIIB</X509Certificate>' +
        '</X509Data></KeyInfo></KeyDescriptor>' +
        '<SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" ' +
        'Location="https://id.acme.example/sso"/></IDPSSODescriptor></EntityDescriptor>',
    },
  }),
  listSsoAttempts: (of) => ({ path: { deploymentId: of('Deployment') } }),
  listSsoDomains: (of) => ({ path: { deploymentId: of('Deployment') } }),
  addSsoDomain: (of) => ({ path: { deploymentId: of('Deployment') }, body: { domain: `${of('Fresh')}.example` } }),
  verifySsoDomain: (of) => ({ path: { deploymentId: of('Deployment') }, body: { domain: of('SsoDomain') } }),
  deleteSsoDomain: (of) => ({ path: { deploymentId: of('Deployment'), domain: of('SsoDomain') } }),
};
