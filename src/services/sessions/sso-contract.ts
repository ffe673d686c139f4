import { z } from 'zod';
import { NOT_FOUND } from '#kernel/contract/common-faults.ts';
import { fault } from '#kernel/contract/fault.ts';
import { operation } from '#kernel/contract/operation.ts';
import { id, line, oneOf } from '#kernel/contract/proto-fields.ts';
import { email, sessionReplyFields } from './session-shape.ts';

export const SSO_REFUSED = fault(
  'SSO_REFUSED',
  401,
  'The sign-in was refused.',
  'Start again from the sign-in page. Administrators of your organization see the reason in Settings ▸ Sign-in.',
);
export const SSO_UNAVAILABLE = fault(
  'SSO_UNAVAILABLE',
  409,
  'Signing in this way is not possible now.',
  'Try again later. An administrator of your organization can test the identity provider in the settings of sign-in.',
);
export const SSO_LOGOUT_REFUSED = fault(
  'SSO_LOGOUT_REFUSED',
  400,
  'The logout token is not valid.',
  'Check the issuer, the audience, the signature and the time of the token, and that it was not sent before.',
);

const open = { maturity: 'beta', allow: 'public', isExtension: true } as const;

/** A path of this server to go to afterwards. */
const next = () =>
  line(2048)
    .regex(/^(\/([!-.0-[\]-~][!-~]*)?)?$/, { error: 'expected a path of this server' })
    .optional();

/** A way to sign in besides the password. */
export const SignInOption = z.object({ way: z.string(), name: z.string(), type: z.string() });

export const listSignInWays = operation({
  ...open,
  route: 'POST /api/auth/sso/ways',
  summary: 'List the ways to sign in',
  description:
    'The identity providers for an e-mail address, or those of an organization by its slug, or those of the only ' +
    'organization of the server.',
  isRead: true,
  body: { email: email().optional(), organization: z.string().max(64).optional() },
  reply: { ways: z.array(SignInOption) },
});

export const startSignIn = operation({
  ...open,
  route: 'POST /api/auth/sso/start',
  summary: 'Start to sign in with an identity provider',
  description: 'Open `redirectUrl` in the same browser, which keeps a cookie for 15 minutes.',
  isRead: true,
  body: { way: z.string().max(1000), email: email().optional(), next: next() },
  reply: { redirectUrl: z.string() },
  faults: [SSO_UNAVAILABLE],
  transaction: 'manual',
});

export const completeSignIn = operation({
  ...open,
  route: 'POST /api/auth/sso/complete',
  summary: 'Sign in with the answer of an identity provider',
  description:
    'Needs the cookie of the start, and works once. The first sign-in of a person creates their account with the ' +
    'least role, unless their groups give another. A test ends with `tested` and signs nobody in.',
  body: { providerId: id('SsoProvider'), parameters: z.string().max(700_000) },
  reply: {
    outcome: oneOf(['signed_in', 'linked', 'tested']),
    next: z.string(),
    attemptId: id('SsoAttempt').optional(),
    session: z.object(sessionReplyFields).optional(),
  },
  faults: [SSO_REFUSED],
  transaction: 'manual',
});

export const endProviderSessions = operation({
  ...open,
  route: 'POST /api/auth/sso/logout/{provider}',
  summary: 'End sessions by a logout token',
  description: 'OpenID Connect Back-Channel Logout 1.0: the identity provider calls it with a `logout_token`.',
  path: { provider: z.string().regex(/^\d{1,18}$/) },
  upload: { types: ['application/x-www-form-urlencoded'], limitBytes: 65_536 },
  reply: {},
  faults: [SSO_LOGOUT_REFUSED],
});

export const relaySamlResponse = operation({
  ...open,
  route: 'POST /api/auth/sso/saml/{provider}/acs',
  summary: 'Take a SAML response',
  description:
    'The assertion consumer service. A page passes the response on to the console, which completes the sign-in with ' +
    'the cookie of its browser, because browsers do not send that cookie with a form of another site.',
  isRead: true,
  path: { provider: z.string().regex(/^\d{1,18}$/) },
  upload: { types: ['application/x-www-form-urlencoded'], limitBytes: 600_000 },
  raw: { types: ['text/html'] },
  reply: {},
});

export const getSamlMetadata = operation({
  ...open,
  route: 'GET /api/auth/sso/saml/{provider}/metadata',
  summary: 'Get the SAML metadata of this server',
  description: 'For one identity provider, which imports it.',
  path: { provider: z.string().regex(/^\d{1,18}$/) },
  raw: { types: ['application/samlmetadata+xml'] },
  reply: {},
  faults: [NOT_FOUND],
  transaction: 'manual',
});

/** What the examples of the API description show. */
export const exampleIds = { SignInWay: 'a-way-from-the-list', StartableSsoProvider: '2', SamlProvider: '3' };
