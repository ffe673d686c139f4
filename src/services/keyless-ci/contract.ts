import { z } from 'zod';
import { fault } from '#kernel/contract/fault.ts';
import { operation } from '#kernel/contract/operation.ts';
import { deployment, id, line, name, oneOf, timestamp } from '#kernel/contract/proto-fields.ts';
import { webUrl } from '#kernel/contract/web-url.ts';

export const MAX_CI_TRUSTS = 50;
const MIN_LIFETIME_SECONDS = 300;
const MAX_LIFETIME_SECONDS = 3600;
const DEFAULT_LIFETIME_SECONDS = 900;

export const CI_TRUST_QUOTA = fault(
  'CI_TRUST_QUOTA',
  409,
  'A deployment can trust at most {most} CI issuers.',
  'Delete trusts that no job uses, or add values to the conditions of an existing one.',
);
export const CI_TRUST_REFUSED = fault(
  'CI_TRUST_REFUSED',
  400,
  'The trust has {count}: {first}',
  'Correct each member listed in `errors`; nothing was changed.',
);
export const CI_TOKEN_REFUSED = fault(
  'CI_TOKEN_REFUSED',
  403,
  'The token of the CI job is not accepted.',
  'Administrators see the reason under Settings, Keyless CI. Each token of a job is accepted once.',
);
export const CI_ISSUER_UNAVAILABLE = fault(
  'CI_ISSUER_UNAVAILABLE',
  502,
  'The keys of the issuer cannot be read: {reason}',
  'Try again. If it lasts, the operator can check whether this server may reach the issuer.',
);

export const CiProvider = oneOf(['GITHUB_ACTIONS', 'GITLAB_CI', 'BUILDKITE', 'GENERIC']);
export type CiProvider = z.output<typeof CiProvider>;

const claimName = () => z.string().regex(/^[\w./:-]{1,100}$/, { error: 'expected the name of a claim' });

export const CiCondition = z.object({
  claim: claimName(),
  /** Accepted values; one that ends with `*` accepts what begins with it. */
  values: z.array(line(256, 1)).min(1).max(50),
});
export type CiCondition = z.output<typeof CiCondition>;

const trustFields = {
  name: name(),
  provider: CiProvider,
  issuer: webUrl(),
  audience: line(256, 1).describe('Exactly the `aud` that jobs request. The address of this server is a good choice.'),
  algorithm: oneOf(['RS256', 'PS256', 'ES256', 'ES384', 'EdDSA']),
  conditions: z.array(CiCondition).min(1).max(20),
  project: line(512).describe(
    'The project that the token is limited to, with claims in braces: `{repository}`. Empty for all projects.',
  ),
  lifetimeSeconds: z.int().min(MIN_LIFETIME_SECONDS).max(MAX_LIFETIME_SECONDS),
  enabled: z.boolean(),
};

/** A trusted issuer, with its last uses. */
export const CiTrust = z.object({
  id: id('CiTrust'),
  ...trustFields,
  createdAt: timestamp(),
  lastUsedAt: timestamp().optional(),
  lastProject: z.string(),
  lastRefusedAt: timestamp().optional(),
  /** Why the last token with a valid signature was refused. */
  lastRefusal: z.string(),
});
export type CiTrust = z.output<typeof CiTrust>;

const base = '/api/tokens/v1/deployments/{deploymentId}/ci-trusts';
const path = { deploymentId: deployment() };
const trustPath = { ...path, ciTrustId: id('CiTrust') };
const facts = { maturity: 'beta', credential: 'user', isExtension: true } as const;
const body = {
  ...trustFields,
  algorithm: trustFields.algorithm.default('RS256'),
  lifetimeSeconds: trustFields.lifetimeSeconds.default(DEFAULT_LIFETIME_SECONDS),
  enabled: trustFields.enabled.default(true),
};

export const listCiTrusts = operation({
  ...facts,
  route: `GET ${base}`,
  summary: 'List trusted CI issuers',
  allow: 'token:read',
  path,
  reply: { trusts: z.array(CiTrust) },
});

export const createCiTrust = operation({
  ...facts,
  route: `POST ${base}`,
  summary: 'Trust a CI issuer',
  description:
    'Jobs whose tokens meet all conditions can exchange them for scanner tokens. A condition must name the owner of ' +
    'the repository or pipeline, because public issuers sign tokens for everybody.',
  allow: 'token:manage',
  isStrict: true,
  path,
  body,
  reply: { trust: CiTrust },
  faults: [CI_TRUST_QUOTA, CI_TRUST_REFUSED],
});

export const updateCiTrust = operation({
  ...facts,
  route: `PUT ${base}/{ciTrustId}`,
  summary: 'Replace a trusted CI issuer',
  description: 'Scanner tokens that were issued under the old conditions end at once.',
  allow: 'token:manage',
  isStrict: true,
  isVersioned: true,
  path: trustPath,
  body,
  reply: { trust: CiTrust },
  faults: [CI_TRUST_REFUSED],
});

export const deleteCiTrust = operation({
  ...facts,
  route: `DELETE ${base}/{ciTrustId}`,
  summary: 'Stop trusting a CI issuer',
  description: 'Its scanner tokens end at once.',
  allow: 'token:manage',
  path: trustPath,
  reply: {},
});

const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token';

export const exchangeCiToken = operation({
  route: 'POST /api/auth/ci-tokens',
  summary: 'Exchange the token of a CI job for a scanner token',
  description:
    'The members are those of RFC 8693, as JSON. `audience` is the id or slug of the deployment. The scanner token ' +
    'can start scans and import reports, and is refused for other projects than `project` if that is not empty.',
  maturity: 'beta',
  allow: 'public',
  isExtension: true,
  transaction: 'manual',
  body: {
    grant_type: z.literal(TOKEN_EXCHANGE),
    subject_token: z.string().min(1).max(16_384),
    subject_token_type: z.enum(['urn:ietf:params:oauth:token-type:jwt', 'urn:ietf:params:oauth:token-type:id_token']),
    audience: z.string().regex(/^[\w-]{1,64}$/, { error: 'expected the id or slug of a deployment' }),
  },
  reply: {
    access_token: z.string(),
    issued_token_type: z.literal(ACCESS_TOKEN),
    token_type: z.literal('Bearer'),
    expires_in: z.int(),
    project: z.string(),
  },
  faults: [CI_TOKEN_REFUSED, CI_ISSUER_UNAVAILABLE],
});

/** What the examples of the API description show. */
export const exampleIds = { CiTrust: '4', CiJobToken: 'eyJhbGciOiJSUzI1NiIsImtpZCI6IjEifQ.eyJpc3MiOiIifQ.c2ln' };
