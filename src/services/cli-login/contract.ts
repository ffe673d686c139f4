import { z } from 'zod';
import { TOKEN_QUOTA } from '#domain/accounts/shape.ts';
import { NOT_FOUND } from '#kernel/contract/common-faults.ts';
import { operation } from '#kernel/contract/operation.ts';
import { deployment, timestamp } from '#kernel/contract/proto-fields.ts';

/** How `semgrep login` gets a token: a user approves on our page, and the command line collects the token. */

const key = () => z.uuid();

export const confirmLogin = operation({
  route: 'POST /api/tokens/v1/deployments/{deploymentId}/cli-logins',
  summary: 'Approve the login of a command line',
  description:
    'The command line that generated the key may collect one token with the role TOKEN_ROLE_AGENT_CLI, once, until ' +
    '`expiresAt`. Approve only a key that you see in your own terminal. Approvals that wait for collection count as ' +
    'tokens.',
  maturity: 'beta',
  allow: 'token:manage',
  credential: 'user',
  isExtension: true,
  isStrict: true,
  path: { deploymentId: deployment() },
  body: { key: key() },
  reply: { expiresAt: timestamp() },
  faults: [TOKEN_QUOTA],
});

export const collectToken = operation({
  route: 'POST /api/agent/tokens/requests',
  summary: 'Collect the token of a command line',
  description:
    'For `semgrep login`, which polls until its user has approved: 404 before that, and after the first collection.',
  maturity: 'beta',
  allow: 'public',
  isExtension: true,
  path: {},
  body: { token_request_key: key() },
  reply: { token: z.string(), user_name: z.string() },
  faults: [NOT_FOUND, TOKEN_QUOTA],
});

/** What the examples of the API description show. */
export const exampleIds = {
  LoginKey: '7b1f1d6e-3c55-4c4e-9a53-0b7f0f6f2f11',
  NewLoginKey: '7b1f1d6e-3c55-4c4e-9a53-0b7f0f6f2f11',
};
