import { z } from 'zod';
import { operation } from '#kernel/contract/operation.ts';
import * as plain from '#kernel/contract/plain-fields.ts';

export const listDeployments = operation({
  route: 'GET /api/v2/deployments',
  summary: 'List the deployments of the credential',
  description: 'All that a user belongs to, in the order of joining; for an API token its own.',
  maturity: 'experimental',
  allow: 'self',
  reply: { deployments: z.array(z.object({ id: plain.id('Deployment'), name: z.string() })) },
});
