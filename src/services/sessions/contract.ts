import { z } from 'zod';
import { SECOND_FACTOR_REFUSED, SECOND_FACTOR_REQUIRED, secondFactorCode } from '#domain/accounts/shape.ts';
import { fault } from '#kernel/contract/fault.ts';
import { operation } from '#kernel/contract/operation.ts';
import { name } from '#kernel/contract/proto-fields.ts';
import { email, PASSWORD_TOO_WEAK, password, sessionReplyFields } from './session-shape.ts';

export const SIGN_IN_REFUSED = fault(
  'SIGN_IN_REFUSED',
  401,
  'The e-mail address or the password is incorrect.',
  'Check both; an administrator can give you a one-time link.',
);
export const SESSION_ENDED = fault('SESSION_ENDED', 401, 'The session has ended.', 'Sign in again.');
export const FOREIGN_ORIGIN = fault(
  'FOREIGN_ORIGIN',
  403,
  'A session can only be refreshed by pages of this server.',
  'Open the page from the public address of the server.',
);
export const SETUP_REFUSED = fault(
  'SETUP_REFUSED',
  403,
  'The set-up token is not valid: it is wrong or expired, or the set-up is complete.',
  'Restart the server to get a new set-up link while there is no administrator.',
);

export const INVITATION_REFUSED = fault(
  'INVITATION_REFUSED',
  403,
  'The invitation is not valid: it is wrong, expired, replaced by a newer one or already used.',
  'Ask an administrator to invite you again.',
);

export const createSession = operation({
  route: 'POST /api/auth/sessions',
  summary: 'Sign in',
  description: 'The access token is valid for at most 15 minutes; the refresh cookie is exchanged for a new one.',
  maturity: 'beta',
  allow: 'public',
  body: { email: email(), password: password(), code: secondFactorCode().optional() },
  reply: sessionReplyFields,
  faults: [SIGN_IN_REFUSED, SECOND_FACTOR_REQUIRED, SECOND_FACTOR_REFUSED],
  transaction: 'manual',
  isExtension: true,
});

export const refreshSession = operation({
  route: 'POST /api/auth/sessions/refresh',
  summary: 'Get a new access token',
  description: 'Uses and replaces the refresh cookie. Using a refresh cookie twice ends its session.',
  maturity: 'beta',
  allow: 'public',
  body: {},
  reply: sessionReplyFields,
  faults: [SESSION_ENDED, FOREIGN_ORIGIN],
  isExtension: true,
});

export const deleteSession = operation({
  route: 'DELETE /api/auth/sessions/current',
  summary: 'Sign out',
  description:
    'Ends the session at once: its access tokens are refused from then on. `signOutUrl` is present if an identity ' +
    'provider opened the session and offers to sign out there too: open it in the browser.',
  maturity: 'beta',
  allow: 'self',
  credential: 'user',
  reply: { signOutUrl: z.string().optional() },
  isExtension: true,
});

export const setUp = operation({
  route: 'POST /api/auth/setup',
  summary: 'Set up the server',
  description:
    'Creates the first administrator and the first deployment, once, with the token that the server printed.',
  maturity: 'beta',
  allow: 'public',
  body: {
    setupToken: z.string().max(200),
    email: email(),
    password: password(),
    name: name(),
    deploymentName: name(),
  },
  reply: sessionReplyFields,
  faults: [SETUP_REFUSED, PASSWORD_TOO_WEAK],
  transaction: 'manual',
  isExtension: true,
});

export const acceptInvitation = operation({
  route: 'POST /api/auth/invitations/accept',
  summary: 'Accept an invitation',
  description:
    'Creates an account for the invited address, adds it to the deployment and signs in. Callers who already have ' +
    'an account send its password: the account is added and its other sessions end. A token can be used once.',
  maturity: 'beta',
  allow: 'public',
  body: {
    token: z.string().min(1).max(200),
    name: name(),
    password: password(),
    code: secondFactorCode().optional(),
  },
  reply: sessionReplyFields,
  faults: [INVITATION_REFUSED, SIGN_IN_REFUSED, PASSWORD_TOO_WEAK, SECOND_FACTOR_REQUIRED, SECOND_FACTOR_REFUSED],
  transaction: 'manual',
  isExtension: true,
});

/** What the examples of the API description show. */
export const exampleIds = { SetupToken: 'the-token-that-the-server-printed', InvitationToken: 'the-token-of-the-link' };
