import { z } from 'zod';
import { fault } from '#kernel/contract/fault.ts';
import { operation } from '#kernel/contract/operation.ts';
import * as plain from '#kernel/contract/plain-fields.ts';
import { asNumber, deployment, id } from '#kernel/contract/proto-fields.ts';
import { webUrl } from '#kernel/contract/web-url.ts';

export const MAX_PARTNER_CREDENTIALS = 50;

export const PARTNER_CREDENTIAL_QUOTA = fault(
  'PARTNER_CREDENTIAL_QUOTA',
  409,
  'A deployment can have at most {most} partner credentials.',
  'Delete credentials first.',
);
export const PARTNER_URL_REFUSED = fault(
  'PARTNER_URL_REFUSED',
  400,
  'This server does not call the URL in {member}.',
  'Use https on port 443 or 8443; the operator can allow other targets.',
);
export const PARTNER_SECRET_REQUIRED = fault(
  'PARTNER_SECRET_REQUIRED',
  400,
  'Changing the client or its URLs requires the client secret.',
  'Send `clientSecret` too: a stored secret is used only for the URLs for which it was stored.',
);
export const PARTNER_CREDENTIAL_INCOMPLETE = fault(
  'PARTNER_CREDENTIAL_INCOMPLETE',
  400,
  'The credential to check has no {member}.',
  'Send `clientId`, `clientSecret`, `apiUrl` and `tokenUrl`, or the `id` of a stored credential.',
);

/** Printable ASCII, as RFC 6749 requires for both. */
const ClientId = z
  .string()
  .max(255)
  .regex(/^[ -~]+$/);
const ClientSecret = z
  .string()
  .max(4096)
  .regex(/^[ -~]+$/);

export const PartnerCredential = z.object({
  id: id('PartnerCredential'),
  deploymentId: plain.id('Deployment'),
  clientId: z.string(),
  apiUrl: z.string(),
  tokenUrl: z.string(),
});

const base = '/api/notifications/deployments/{deploymentId}/partner';
const path = { deploymentId: deployment() };
const credentialPath = { ...path, id: id('PartnerCredential') };
const common = { maturity: 'experimental', credential: 'user' } as const;
const body = {
  deploymentId: asNumber(id('Deployment')).optional(),
  clientId: ClientId,
  apiUrl: webUrl(),
  tokenUrl: webUrl(),
};

export const listPartnerCredentials = operation({
  ...common,
  route: `GET ${base}`,
  summary: 'List partner credentials',
  description: 'Secrets are never shown.',
  allow: 'credential:read',
  path,
  reply: { partnerCredentials: z.array(PartnerCredential) },
});

export const createPartnerCredential = operation({
  ...common,
  route: `POST ${base}`,
  summary: 'Create a partner credential',
  allow: 'credential:manage',
  path,
  body: { ...body, clientSecret: ClientSecret },
  reply: { partnerCredential: PartnerCredential },
  faults: [PARTNER_CREDENTIAL_QUOTA, PARTNER_URL_REFUSED],
});

export const validatePartnerCredential = operation({
  ...common,
  route: `POST ${base}/validate`,
  summary: 'Validate partner credential',
  description:
    'Gets a token from `tokenUrl` with the client credentials and calls `apiUrl` with it. With `id` and without ' +
    '`clientSecret` the stored secret is checked, at the stored URLs only; otherwise the given secret is. ' +
    '`error` is empty or one of `invalid_client`, `unreachable`, `timeout`, `tls`, `denied_address`, `bad_response`, ' +
    '`secret_required`, `unknown_credential`. The answer comes after 1, 3 or 10 seconds.',
  allow: 'credential:manage',
  path,
  body: {
    deploymentId: asNumber(id('Deployment')).optional(),
    clientId: z.string().max(255).optional(),
    clientSecret: z.string().max(4096).optional(),
    apiUrl: z.string().max(2048).optional(),
    tokenUrl: z.string().max(2048).optional(),
    id: z.string().max(64).optional(),
  },
  reply: { valid: z.boolean(), error: z.string() },
  faults: [PARTNER_CREDENTIAL_INCOMPLETE],
  transaction: 'manual',
  limitPolicy: 'check',
});

export const deletePartnerCredential = operation({
  ...common,
  route: `DELETE ${base}/{id}`,
  summary: 'Delete a partner credential',
  allow: 'credential:manage',
  path: credentialPath,
  reply: { success: z.boolean() },
});

export const getPartnerCredential = operation({
  ...common,
  route: `GET ${base}/{id}`,
  summary: 'Get a partner credential',
  description: 'The secret is never shown.',
  allow: 'credential:read',
  path: credentialPath,
  reply: { partnerCredential: PartnerCredential },
  isVersioned: true,
});

export const updatePartnerCredential = operation({
  ...common,
  route: `PUT ${base}/{id}`,
  summary: 'Update a partner credential',
  description:
    'Without `clientSecret` the stored secret is kept; that requires an unchanged client and unchanged URLs.',
  allow: 'credential:manage',
  path: credentialPath,
  body: { ...body, id: id('PartnerCredential').optional(), clientSecret: ClientSecret.optional() },
  reply: { partnerCredential: PartnerCredential },
  faults: [PARTNER_URL_REFUSED, PARTNER_SECRET_REQUIRED],
  isVersioned: true,
});

/** What the examples of the API description show. */
export const exampleIds = { PartnerCredential: '5' };
