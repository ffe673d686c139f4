import { z } from 'zod';
import { PASSWORD_WRONG, SECOND_FACTOR_REFUSED, secondFactorCode } from '#domain/accounts/shape.ts';
import { NOT_FOUND } from '#kernel/contract/common-faults.ts';
import { fault } from '#kernel/contract/fault.ts';
import { operation } from '#kernel/contract/operation.ts';
import { timestamp } from '#kernel/contract/proto-fields.ts';

export const SECOND_FACTOR_PRESENT = fault(
  'SECOND_FACTOR_PRESENT',
  409,
  'Your account has an authenticator app already.',
  'Remove it first, with one of its codes or a recovery code.',
);

const password = () => z.string().min(1).max(4096);
const base = '/api/auth/users/current/second-factor';
const self = { maturity: 'beta', allow: 'self', credential: 'user', isExtension: true } as const;
const recoveryCodes = { recoveryCodes: z.array(z.string()) };

export const getSecondFactor = operation({
  ...self,
  route: `GET ${base}`,
  summary: 'Get your second factor',
  reply: { enabled: z.boolean(), confirmedAt: timestamp().optional(), recoveryCodesLeft: z.int() },
});

export const beginSecondFactor = operation({
  ...self,
  route: `POST ${base}`,
  summary: 'Add an authenticator app',
  description: 'It counts once you have confirmed it with a code. The secret and the URI for a QR code are shown once.',
  body: { password: password() },
  reply: { secret: z.string(), uri: z.string() },
  faults: [PASSWORD_WRONG, SECOND_FACTOR_PRESENT],
  transaction: 'manual',
});

export const confirmSecondFactor = operation({
  ...self,
  route: `POST ${base}/confirm`,
  summary: 'Confirm your authenticator app',
  description: 'Ends your other sessions, and replies with recovery codes, which are shown once and work once each.',
  body: { code: secondFactorCode() },
  reply: recoveryCodes,
  faults: [NOT_FOUND, SECOND_FACTOR_REFUSED],
  transaction: 'manual',
});

export const renewRecoveryCodes = operation({
  ...self,
  route: `POST ${base}/recovery-codes`,
  summary: 'Replace your recovery codes',
  body: { password: password(), code: secondFactorCode() },
  reply: recoveryCodes,
  faults: [NOT_FOUND, PASSWORD_WRONG, SECOND_FACTOR_REFUSED],
  transaction: 'manual',
});

export const removeSecondFactor = operation({
  ...self,
  route: `POST ${base}/remove`,
  summary: 'Remove your authenticator app',
  body: { password: password(), code: secondFactorCode() },
  reply: {},
  faults: [NOT_FOUND, PASSWORD_WRONG, SECOND_FACTOR_REFUSED],
  transaction: 'manual',
});

/** What the examples of the API description show. */
export const exampleIds = {
  SecondFactorCode: '492039',
  FirstCode: '492039',
  PasswordAlone: 'correct horse battery staple',
};
