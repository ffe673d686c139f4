import { z } from 'zod';
import { fault } from '#kernel/contract/fault.ts';
import { id, oneOf, timestamp } from '#kernel/contract/proto-fields.ts';

/** An API token as lists show it, without its text. */
export const ApiToken = z.object({
  id: id('Token'),
  name: z.string(),
  role: oneOf([
    'TOKEN_ROLE_AGENT_CLI',
    'TOKEN_ROLE_WEBAPI',
    'TOKEN_ROLE_MEMBER',
    'TOKEN_ROLE_READ_ONLY',
    'TOKEN_ROLE_SCIM',
  ]),
  webApi: z.boolean(),
  scopes: z.array(z.string()),
  createdAt: timestamp(),
  /** The name of the account that created it; empty after that account has left. */
  createdBy: z.string(),
  expiresAt: timestamp(),
  lastUsedAt: timestamp().optional(),
  suffix: z.string(),
});
export type ApiToken = z.output<typeof ApiToken>;

export const LAST_ADMINISTRATOR = fault(
  'LAST_ADMINISTRATOR',
  409,
  'The last administrator of a deployment cannot be removed or demoted.',
  'Make another member an administrator first.',
);

export const PASSWORD_WRONG = fault(
  'PASSWORD_WRONG',
  403,
  'The current password is incorrect.',
  'Check it. If you do not know it, sign out and ask for a new one.',
);
export const SECOND_FACTOR_REQUIRED = fault(
  'SECOND_FACTOR_REQUIRED',
  403,
  'The account has a second factor.',
  'Send the request again with `code`: from your authenticator app, or one of your recovery codes.',
);
export const SECOND_FACTOR_REFUSED = fault(
  'SECOND_FACTOR_REFUSED',
  403,
  'The code is not valid: it is wrong, expired or already used.',
  'Wait for the next code of your app, and check the clock of your phone; or use a recovery code.',
);
/** A code of an authenticator app or a recovery code. */
export const secondFactorCode = () => z.string().max(64);

export const MAX_TOKENS = 100;
export const TOKEN_QUOTA = fault(
  'TOKEN_QUOTA',
  409,
  'You can have at most {most} tokens.',
  'Revoke tokens you no longer need.',
);

/** What the examples of the API description show. */
export const exampleIds = {
  User: '3',
  Token: '11',
  Email: 'admin@example.com',
  NewEmail: 'grace@example.com',
  Password: 'correct horse battery staple',
};
