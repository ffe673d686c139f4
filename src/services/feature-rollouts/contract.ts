import { z } from 'zod';
import { operation } from '#kernel/contract/operation.ts';
import { timestamp } from '#kernel/contract/proto-fields.ts';

export const listAvailableFeatureRollouts = operation({
  route: 'GET /api/agent/features',
  summary: 'List the feature flags of the deployment of the credential',
  description:
    'For an API token of its own deployment, for a user of the one they joined first. `rolled_out` is false once a ' +
    'flag has expired.',
  maturity: 'experimental',
  allow: 'self',
  reply: {
    features: z.array(
      z.object({ id: z.string(), name: z.string(), rolled_out: z.boolean(), rolled_out_at: timestamp() }),
    ),
  },
});

export type FeatureRollout = z.output<typeof listAvailableFeatureRollouts.reply>['features'][number];
