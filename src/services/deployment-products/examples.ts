import type { Examples } from '#kernel/contract/example.ts';
import type * as contract from './contract.ts';

export const examples: Examples<typeof contract> = {
  getDeploymentProductConfig: (of) => ({ path: { deploymentId: of('Deployment') } }),
  putDeploymentProductConfig: (of) => ({
    path: { deploymentId: of('Deployment') },
    body: {
      sast: { enabled: true, ai_autofix: { enabled: true, min_confidence: 80 } },
      sca: { prCommentsEnabled: true },
      secrets: { enabled: true, global_validation_state_policy: { error: 'monitor', invalid: 'comment' } },
      approversTag: '@acme/security',
      hasDeveloperTriage: true,
    },
  }),
  getDeploymentAdminProductConfig: (of) => ({ path: { deploymentId: of('Deployment') } }),
};
