import { z } from 'zod';
import { SsoAttempt, SsoDomain, SsoGroupRule } from '#domain/sso/sso-shape.ts';
import { fault } from '#kernel/contract/fault.ts';
import { operation } from '#kernel/contract/operation.ts';
import { deployment, id, line } from '#kernel/contract/proto-fields.ts';
import { optionalWebUrl } from '#kernel/contract/web-url.ts';

export const MAX_SSO_DOMAINS = 50;

export const SSO_DOMAIN_QUOTA = fault(
  'SSO_DOMAIN_QUOTA',
  409,
  'A deployment can have at most {most} domains.',
  'Delete domains first.',
);
export const SSO_DOMAIN_TAKEN = fault(
  'SSO_DOMAIN_TAKEN',
  409,
  'The domain {domain} belongs to another deployment of this server.',
  'One deployment can own a domain: its administrators must delete it there first.',
);
export const SSO_DOMAIN_NOT_PROVED = fault(
  'SSO_DOMAIN_NOT_PROVED',
  409,
  'The TXT record {record} was not found.',
  'Add the record with the value that the domain shows. New records can take minutes to be seen; then verify again.',
);
export const SSO_SETTINGS_REFUSED = fault(
  'SSO_SETTINGS_REFUSED',
  400,
  'The settings have {count}: {first}',
  'Correct each member listed in `errors`; nothing was changed.',
);
export const SAML_METADATA_REFUSED = fault(
  'SAML_METADATA_REFUSED',
  400,
  'This is not the metadata of a SAML identity provider.',
  'Send the XML with one EntityDescriptor, its SingleSignOnService for HTTP-Redirect and a signing certificate.',
);
export const SSO_NOT_STARTED = fault(
  'SSO_NOT_STARTED',
  409,
  'The sign-in cannot start: {detail}',
  'Test the provider, and correct its settings.',
);

const base = '/api/auth/sso/deployments/{deploymentId}';
const path = { deploymentId: deployment() };
const providerPath = { ...path, providerId: id('SsoProvider') };
const manage = { maturity: 'beta', allow: 'sso:manage', credential: 'user', isExtension: true } as const;

const domainName = () =>
  z
    .string()
    .max(253)
    .regex(/^[A-Za-z\d]([A-Za-z\d-]*[A-Za-z\d])?(\.[A-Za-z\d]([A-Za-z\d-]*[A-Za-z\d])?)+$/, {
      error: 'expected a domain such as example.com',
    });

const settingsFields = {
  groupsClaim: line(128).describe('The claim with the groups, such as `groups` or `realm_access.roles`.'),
  idTokenAlg: z
    .string()
    .regex(/^$|^(RS|PS|ES)(256|384|512)$|^EdDSA$/, { error: 'expected an algorithm such as RS256, or nothing' })
    .describe('The only accepted signature of ID tokens; empty for RS256, or else the first that is announced.'),
  trustsEmail: z
    .boolean()
    .describe('Whether the provider verifies every address, although it does not send `email_verified`.'),
  emailClaim: line(256).describe('The attribute of SAML with the address; empty for the usual names, or the NameID.'),
  secondCertificate: z
    .string()
    .max(16_384)
    .describe('The next certificate of a SAML provider that rolls over: both are accepted.'),
  allowsIdpInitiated: z
    .boolean()
    .describe('Whether a SAML provider may begin a sign-in. It makes forced logins easier.'),
  groups: z.array(SsoGroupRule).max(200),
};

/** How sign-ins with a provider work. */
export const SsoSignIn = z.object({
  ...settingsFields,
  redirectUri: z.string(),
  backChannelLogoutUri: z.string(),
  postLogoutRedirectUri: z.string(),
  samlEntityId: z.string(),
  samlAcsUrl: z.string(),
  samlMetadataUrl: z.string(),
});

export const getSsoSignIn = operation({
  route: `GET ${base}/providers/{providerId}/sign-in`,
  summary: 'Get how sign-ins with a provider work',
  description: 'With the addresses to enter at the identity provider.',
  maturity: 'beta',
  allow: 'sso:read',
  isExtension: true,
  path: providerPath,
  reply: { signIn: SsoSignIn },
  isVersioned: true,
});

export const updateSsoSignIn = operation({
  ...manage,
  route: `PUT ${base}/providers/{providerId}/sign-in`,
  summary: 'Change how sign-ins with a provider work',
  description:
    'Ends the sessions that the provider opened. Of several matching groups the strongest role counts; others ' +
    'get the least role. Roles and teams follow the groups at each sign-in.',
  path: providerPath,
  body: settingsFields,
  reply: { signIn: SsoSignIn },
  faults: [SSO_SETTINGS_REFUSED],
  isVersioned: true,
  isStrict: true,
});

export const previewSsoGroups = operation({
  route: `POST ${base}/providers/{providerId}/sign-in/preview`,
  summary: 'Preview what groups give',
  description: 'The role and teams of somebody in these groups, by the given rules or else by the stored ones.',
  maturity: 'beta',
  allow: 'sso:read',
  isExtension: true,
  isRead: true,
  path: providerPath,
  body: {
    memberOf: z.array(line(256)).max(200),
    rules: z.array(SsoGroupRule).max(200).optional(),
  },
  reply: { role: z.string(), teams: z.array(z.string()), matched: z.array(z.string()) },
});

export const startSsoTest = operation({
  ...manage,
  route: `POST ${base}/providers/{providerId}/sign-in/test`,
  summary: 'Start a test sign-in',
  description:
    'Open `redirectUrl` in the same browser. Nothing changes and nobody is signed in: the attempt shows the claims, ' +
    'the role and the teams, or the check that failed. With `link` the identity is linked to your account.',
  path: providerPath,
  body: { link: z.boolean().optional() },
  reply: { redirectUrl: z.string() },
  faults: [SSO_NOT_STARTED],
  transaction: 'manual',
  limitPolicy: 'check',
});

export const readSamlMetadata = operation({
  ...manage,
  route: `POST ${base}/saml-metadata`,
  summary: 'Read the metadata of a SAML provider',
  description: 'Returns the values for a provider; nothing is stored. Send the XML itself, or its URL.',
  isRead: true,
  path,
  body: { metadata: z.string().max(262_144).optional(), url: optionalWebUrl() },
  reply: { idpIssuer: z.string(), idpSsoUrl: z.string(), certificates: z.array(z.string()) },
  faults: [SAML_METADATA_REFUSED],
  transaction: 'manual',
  limitPolicy: 'check',
});

export const listSsoAttempts = operation({
  route: `GET ${base}/attempts`,
  summary: 'List sign-ins with identity providers',
  description: 'The last 200, newest first, with the check that failed.',
  maturity: 'beta',
  allow: 'sso:read',
  isExtension: true,
  path,
  query: { providerId: id('SsoProvider').optional() },
  reply: { attempts: z.array(SsoAttempt) },
});

export const listSsoDomains = operation({
  route: `GET ${base}/domains`,
  summary: 'List the e-mail domains of a deployment',
  maturity: 'beta',
  allow: 'sso:read',
  isExtension: true,
  path,
  reply: { domains: z.array(SsoDomain) },
});

export const addSsoDomain = operation({
  ...manage,
  route: `POST ${base}/domains`,
  summary: 'Add an e-mail domain',
  description: 'Then add the TXT record that the reply shows, and verify the domain.',
  path,
  body: { domain: domainName() },
  reply: { domain: SsoDomain },
  faults: [SSO_DOMAIN_QUOTA],
});

export const verifySsoDomain = operation({
  ...manage,
  route: `POST ${base}/domains/verify`,
  summary: 'Verify an e-mail domain',
  description: 'Reads the TXT record. From then on people of this domain can sign in with the identity providers.',
  path,
  body: { domain: domainName() },
  reply: { domain: SsoDomain },
  faults: [SSO_DOMAIN_NOT_PROVED, SSO_DOMAIN_TAKEN],
  transaction: 'manual',
  limitPolicy: 'check',
});

export const deleteSsoDomain = operation({
  ...manage,
  route: `DELETE ${base}/domains/{domain}`,
  summary: 'Delete an e-mail domain',
  description: 'People of this domain can no longer sign in with an identity provider; their sessions go on.',
  path: { ...path, domain: domainName() },
  reply: {},
});

/** What the examples of the API description show. */
export const exampleIds = { SsoAttempt: '5', SsoDomain: 'acme.example' };
