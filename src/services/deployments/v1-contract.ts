import { z } from 'zod';
import { operation } from '#kernel/contract/operation.ts';
import * as plain from '#kernel/contract/plain-fields.ts';

export const listDeployments = operation({
  route: 'GET /api/v1/deployments',
  summary: 'List the deployments of the credential, with their slugs',
  description: 'An API token sees its own deployment; a user all that they belong to, in the order of joining.',
  maturity: 'experimental',
  allow: 'self',
  reply: {
    deployments: z.array(
      z.object({
        id: plain.id('Deployment'),
        name: z.string(),
        slug: z.string(),
        findings: z.object({ url: z.string() }),
      }),
    ),
  },
});
