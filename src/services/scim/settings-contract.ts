import { z } from 'zod';
import { operation } from '#kernel/contract/operation.ts';
import { count, deployment, timestamp } from '#kernel/contract/proto-fields.ts';

const path = { deploymentId: deployment() };
const route = '/api/auth/scim/deployments/{deploymentId}';
const facts = { maturity: 'beta', credential: 'user', isExtension: true } as const;

/** How provisioning by an identity provider is set up, without the token. */
export const ScimSettings = z.object({
  baseUrl: z.string(),
  /** False if there is no token; then the other members are empty. */
  enabled: z.boolean(),
  tokenSuffix: z.string(),
  createdAt: timestamp().optional(),
  expiresAt: timestamp().optional(),
  /** The last call of any kind, known after at most 30 seconds. */
  lastCallAt: timestamp().optional(),
  lastChangeAt: timestamp().optional(),
  /** What the identity provider changed last, in words. */
  lastChange: z.string(),
  users: count(),
  groups: count(),
});

export const getScimSettings = operation({
  ...facts,
  route: `GET ${route}`,
  summary: 'Get the set-up of SCIM provisioning',
  allow: 'sso:read',
  path,
  reply: { settings: ScimSettings },
});

export const createScimToken = operation({
  ...facts,
  route: `POST ${route}/token`,
  summary: 'Create the SCIM token',
  description: 'The secret is shown once. It replaces the earlier token, which ends at once, and is valid for a year.',
  allow: 'sso:manage',
  path,
  body: {},
  reply: { settings: ScimSettings, secret: z.string() },
});

export const deleteScimToken = operation({
  ...facts,
  route: `DELETE ${route}/token`,
  summary: 'End SCIM provisioning',
  description: 'The token ends at once. People and groups that were provisioned stay.',
  allow: 'sso:manage',
  path,
  reply: {},
});
