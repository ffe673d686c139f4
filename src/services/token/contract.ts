import { z } from 'zod';
import { ApiToken, TOKEN_QUOTA } from '#domain/accounts/shape.ts';
import { fault } from '#kernel/contract/fault.ts';
import { operation } from '#kernel/contract/operation.ts';
import { cursor, deployment, id, limit, name, oneOf, timestamp } from '#kernel/contract/proto-fields.ts';

export const MAX_TOKEN_DAYS = 366;
export const DEFAULT_TOKEN_DAYS = 90;

export const TOKEN_FILTER_REFUSED = fault(
  'TOKEN_FILTER_REFUSED',
  400,
  'Tokens cannot be deleted by this filter: {reason}.',
  'Use purpose TOKEN_PURPOSE_CLI alone, or TOKEN_PURPOSE_API with a roleFilter.',
);
export const TOKEN_EXPIRY_REFUSED = fault(
  'TOKEN_EXPIRY_REFUSED',
  400,
  'A token must expire in the future and within {days} days.',
  'Choose another expiresAt, or leave it out for the default.',
);

const base = '/api/tokens/v1/deployments/{deploymentId}/tokens';
const path = { deploymentId: deployment() };
const tokenPath = { ...path, tokenId: id('Token') };

export const TokenRoleFilter = oneOf([
  'TOKEN_ROLE_UNSPECIFIED',
  'TOKEN_ROLE_AGENT_CLI',
  'TOKEN_ROLE_WEBAPI',
  'TOKEN_ROLE_MEMBER',
  'TOKEN_ROLE_READ_ONLY',
]);
export const TokenPurpose = oneOf([
  'TOKEN_PURPOSE_UNSPECIFIED',
  'TOKEN_PURPOSE_NONE',
  'TOKEN_PURPOSE_SMS',
  'TOKEN_PURPOSE_SCRAT',
  'TOKEN_PURPOSE_CLICK_TO_FIX',
  'TOKEN_PURPOSE_AI_SCAN',
  'TOKEN_PURPOSE_CLI',
  'TOKEN_PURPOSE_API',
]);

export const TokenScope = z
  .string()
  .regex(/^[a-z][a-z0-9_:-]{0,63}$/, { error: 'expected a scope such as project:read' });

export const deleteTokens = operation({
  route: `DELETE ${base}`,
  summary: 'Delete tokens in bulk',
  description: 'By purpose: TOKEN_PURPOSE_CLI, or TOKEN_PURPOSE_API together with a roleFilter.',
  maturity: 'experimental',
  allow: 'token:manage',
  isStrict: true,
  path,
  query: { purpose: TokenPurpose.optional(), roleFilter: TokenRoleFilter.optional() },
  reply: { deletedCount: z.int() },
  faults: [TOKEN_FILTER_REFUSED],
});

export const createToken = operation({
  route: `POST ${base}`,
  summary: 'Create an API token',
  description:
    'The secret is shown once and cannot be read again. The Web API accepts only tokens with `webApi` and without ' +
    '`scopes`. A token expires after 90 days unless `expiresAt` is given.',
  maturity: 'beta',
  allow: 'token:manage',
  credential: 'user',
  isStrict: true,
  path,
  body: {
    name: name(),
    role: oneOf(['TOKEN_ROLE_AGENT_CLI', 'TOKEN_ROLE_WEBAPI', 'TOKEN_ROLE_MEMBER', 'TOKEN_ROLE_READ_ONLY']),
    webApi: z.boolean(),
    scopes: z.array(TokenScope).max(50).optional(),
    expiresAt: timestamp().optional(),
  },
  reply: { token: ApiToken, secret: z.string() },
  faults: [TOKEN_QUOTA, TOKEN_EXPIRY_REFUSED],
  isExtension: true,
});

export const listTokens = operation({
  route: `GET ${base}`,
  summary: 'List API tokens',
  description: 'Newest first. Secrets are never shown, only their last four characters.',
  maturity: 'beta',
  allow: 'token:read',
  credential: 'user',
  path,
  query: { limit: limit(), cursor: cursor() },
  reply: { tokens: z.array(ApiToken), cursor: cursor() },
  isExtension: true,
});

export const deleteToken = operation({
  route: `DELETE ${base}/{tokenId}`,
  summary: 'Revoke an API token',
  description: 'The token is refused from the next request on.',
  maturity: 'beta',
  allow: 'token:manage',
  credential: 'user',
  path: tokenPath,
  reply: {},
  isExtension: true,
});

export const rotateToken = operation({
  route: `POST ${base}/{tokenId}/rotate`,
  summary: 'Rotate an API token',
  description:
    'Creates a new secret with the same rights; the old one remains valid for `overlapSeconds` (one day by ' +
    'default).',
  maturity: 'beta',
  allow: 'token:manage',
  credential: 'user',
  isStrict: true,
  path: tokenPath,
  body: { overlapSeconds: z.int().min(0).max(604_800).optional() },
  reply: { token: ApiToken, secret: z.string() },
  faults: [TOKEN_QUOTA],
  isExtension: true,
});
