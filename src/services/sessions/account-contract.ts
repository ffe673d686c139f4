import { z } from 'zod';
import {
  PASSWORD_WRONG,
  SECOND_FACTOR_REFUSED,
  SECOND_FACTOR_REQUIRED,
  secondFactorCode,
} from '#domain/accounts/shape.ts';
import { NOT_FOUND } from '#kernel/contract/common-faults.ts';
import { fault } from '#kernel/contract/fault.ts';
import { operation } from '#kernel/contract/operation.ts';
import { id, timestamp } from '#kernel/contract/proto-fields.ts';
import { email, PASSWORD_TOO_WEAK, password, sessionReplyFields } from './session-shape.ts';

export const RESET_REFUSED = fault(
  'RESET_REFUSED',
  403,
  'The link is not valid: it is wrong, expired or already used.',
  'Ask for a new link.',
);

/** A sign-in, on the device where it happened. */
export const AccountSession = z.object({
  id: id('Session'),
  createdAt: timestamp(),
  expiresAt: timestamp(),
  endedAt: timestamp().optional(),
  address: z.string(),
  userAgent: z.string(),
  /** True for the session of this request. */
  current: z.boolean(),
});

const base = '/api/auth/users/current';
const self = { maturity: 'beta', allow: 'self', credential: 'user', isExtension: true } as const;
const open = { maturity: 'beta', allow: 'public', isExtension: true } as const;

export const changePassword = operation({
  ...self,
  route: `POST ${base}/password`,
  summary: 'Change your password',
  description: 'Ends your other sessions. Guesses of the current password are limited like sign-ins.',
  body: { currentPassword: password(), newPassword: password() },
  reply: {},
  faults: [PASSWORD_WRONG, PASSWORD_TOO_WEAK],
  transaction: 'manual',
});

export const listSessions = operation({
  ...self,
  route: `GET ${base}/sessions`,
  summary: 'List your sessions',
  description:
    'The newest 100, newest first. With `includeEnded` also those that have ended or expired, as long as they are ' +
    'kept: these are your recent sign-ins.',
  query: { includeEnded: z.boolean().optional() },
  reply: { sessions: z.array(AccountSession) },
});

export const endSession = operation({
  ...self,
  route: `DELETE ${base}/sessions/{sessionId}`,
  summary: 'End one of your sessions',
  description: 'Its access tokens are refused from the next request on.',
  path: { sessionId: id('Session') },
  reply: {},
  faults: [NOT_FOUND],
});

export const endOtherSessions = operation({
  ...self,
  route: `DELETE ${base}/sessions`,
  summary: 'End all your sessions but this one',
  reply: { ended: z.int() },
});

export const requestPasswordReset = operation({
  ...open,
  route: 'POST /api/auth/password-resets',
  summary: 'Ask for a link to set a new password',
  description:
    'If the address has an account, it gets a link by mail that works once, for one hour. The reply is the same for ' +
    'all addresses. A server without mail sends none: its operator can make a link with `parapet admin login-link`.',
  body: { email: email() },
  reply: {},
});

export const completePasswordReset = operation({
  ...open,
  route: 'POST /api/auth/password-resets/complete',
  summary: 'Set a new password with a link',
  description: 'Ends all sessions of the account and signs in.',
  body: { token: z.string().min(1).max(1000), password: password(), code: secondFactorCode().optional() },
  reply: sessionReplyFields,
  faults: [RESET_REFUSED, PASSWORD_TOO_WEAK, SECOND_FACTOR_REQUIRED, SECOND_FACTOR_REFUSED],
  transaction: 'manual',
});

/** What the examples of the API description show. */
export const exampleIds = { Session: '31', ResetToken: 'the-token-of-the-link' };
