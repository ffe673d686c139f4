import { z } from 'zod';
import { fault } from '#kernel/contract/fault.ts';
import { operation } from '#kernel/contract/operation.ts';
import { count, deployment, id, name, oneOf } from '#kernel/contract/proto-fields.ts';
import { optionalWebUrl } from '#kernel/contract/web-url.ts';

export const MAX_SSO_PROVIDERS = 20;

export const SSO_PROVIDER_NAME_TAKEN = fault(
  'SSO_PROVIDER_NAME_TAKEN',
  409,
  'An SSO provider named {name} already exists.',
  'Choose another name, or change the existing provider.',
);
export const SSO_PROVIDER_QUOTA = fault(
  'SSO_PROVIDER_QUOTA',
  409,
  'A deployment can have at most {most} SSO providers.',
  'Delete providers first.',
);
export const SSO_PROVIDER_REFUSED = fault(
  'SSO_PROVIDER_REFUSED',
  400,
  'The SSO provider has {count}: {first}',
  'Correct each member listed in `errors`; nothing was changed.',
);
export const SSO_SECRET_REQUIRED = fault(
  'SSO_SECRET_REQUIRED',
  400,
  'Changing the client or its URLs requires the client secret.',
  'Send `clientSecret` too: a stored secret is used only for the URLs for which it was stored.',
);

export const SsoType = oneOf([
  'SSO_TYPE_SCMHOST',
  'SSO_TYPE_OPENID',
  'SSO_TYPE_SAML2',
  'SSO_TYPE_GITLAB',
  'SSO_TYPE_GOOGLE',
  'SSO_TYPE_SIMPLE',
  'SSO_TYPE_WORKOS',
]);

export const SsoProvider = z.object({
  id: id('SsoProvider'),
  name: z.string(),
  type: SsoType,
  displayName: z.string(),
  emailDomain: z.string(),
  baseUrl: z.string(),
  openidData: z.object({
    clientId: z.string(),
    clientSecret: z.string().describe('Empty when none is stored, `********` when one is.'),
    wellKnownUrl: z.string(),
    authUri: z.string(),
    tokenUri: z.string(),
    userinfoUri: z.string(),
  }),
  saml2Data: z.object({
    idpIssuer: z.string(),
    idpSsoUrl: z.string(),
    x509cert: z.string(),
    unspecifiedAuthnContext: z.boolean(),
    spEntityId: z.string(),
  }),
  simpleData: z.object({}),
});

/** A provider and its state in the deployment. */
export const DeploymentSsoProvider = z.object({
  id: id('SsoProvider'),
  deploymentId: id('Deployment'),
  provider: SsoProvider,
  enabled: z.boolean(),
  sourceId: z.string(),
  userCount: count(),
});
export type DeploymentSsoProvider = z.output<typeof DeploymentSsoProvider>;

const asciiText = () =>
  z
    .string()
    .max(1024)
    .regex(/^[ -~]*$/)
    .optional();

export const SsoProviderInput = z.object({
  name: name(),
  type: SsoType,
  displayName: name().optional(),
  emailDomain: z
    .string()
    .max(253)
    .regex(/^$|^[A-Za-z\d]([A-Za-z\d-]*[A-Za-z\d])?(\.[A-Za-z\d]([A-Za-z\d-]*[A-Za-z\d])?)+$/)
    .optional(),
  baseUrl: optionalWebUrl(),
  openidData: z
    .object({
      clientId: asciiText(),
      clientSecret: z
        .string()
        .max(4096)
        .regex(/^[ -~]*$/)
        .optional(),
      wellKnownUrl: optionalWebUrl(),
      authUri: optionalWebUrl(),
      tokenUri: optionalWebUrl(),
      userinfoUri: optionalWebUrl(),
    })
    .optional(),
  saml2Data: z
    .object({
      idpIssuer: asciiText(),
      idpSsoUrl: optionalWebUrl(),
      x509cert: z.string().max(16_384).optional(),
      unspecifiedAuthnContext: z.boolean().optional(),
      spEntityId: asciiText(),
    })
    .optional(),
  simpleData: z.object({}).optional(),
});
export type SsoProviderInput = z.output<typeof SsoProviderInput>;

const base = '/api/auth/sso/deployments/{deploymentId}/providers';
const path = { deploymentId: deployment() };
const providerPath = { ...path, providerId: id('SsoProvider') };
const body = { enabled: z.boolean().optional(), provider: SsoProviderInput };
const extension = { maturity: 'experimental', allow: 'sso:manage', credential: 'user', isExtension: true } as const;

export const listDeploymentSsoProviders = operation({
  route: `GET ${base}`,
  summary: 'List deployment SSO providers',
  description: 'In order of creation. Client secrets are masked.',
  maturity: 'experimental',
  allow: 'sso:read',
  path,
  reply: { providers: z.array(DeploymentSsoProvider) },
});

export const createDeploymentSsoProvider = operation({
  ...extension,
  route: `POST ${base}`,
  summary: 'Create an SSO provider',
  path,
  body,
  reply: { provider: DeploymentSsoProvider },
  faults: [SSO_PROVIDER_NAME_TAKEN, SSO_PROVIDER_QUOTA, SSO_PROVIDER_REFUSED],
});

export const updateDeploymentSsoProvider = operation({
  ...extension,
  route: `PUT ${base}/{providerId}`,
  summary: 'Replace an SSO provider',
  description:
    'Absent members become empty, except the client secret: if absent or masked it is kept, which is allowed only ' +
    'while the client and its URLs are unchanged; if empty it is removed.',
  path: providerPath,
  body,
  reply: { provider: DeploymentSsoProvider },
  faults: [SSO_PROVIDER_NAME_TAKEN, SSO_PROVIDER_REFUSED, SSO_SECRET_REQUIRED],
  isVersioned: true,
});

export const deleteDeploymentSsoProvider = operation({
  ...extension,
  route: `DELETE ${base}/{providerId}`,
  summary: 'Delete an SSO provider',
  description: 'Its links to accounts are deleted too; the accounts are kept.',
  path: providerPath,
  reply: {},
});

export const testDeploymentSsoProvider = operation({
  ...extension,
  route: `POST ${base}/{providerId}/test`,
  summary: 'Test an SSO provider',
  description:
    'Compares the discovery document of an OpenID provider with the stored values, or checks the validity of a SAML ' +
    'certificate. `error` is empty or one of `unreachable`, `timeout`, `tls`, `denied_address`, `bad_response`, ' +
    '`issuer_mismatch`, `endpoint_mismatch`, `no_discovery`, `certificate_expired`, `certificate_not_yet_valid`. ' +
    'The answer comes after 1, 3 or 10 seconds.',
  path: providerPath,
  reply: { valid: z.boolean(), error: z.string() },
  transaction: 'manual',
  limitPolicy: 'check',
});

/** What the examples of the API description show. */
export const exampleIds = { SsoProvider: '2' };
