import { operation } from '#kernel/contract/operation.ts';
import { deployment, timestamp } from '#kernel/contract/proto-fields.ts';

export const migrateDeployment = operation({
  route: 'POST /api/policies/v2/deployments/{deploymentId}:migrate',
  summary: 'Migrate a deployment to Unified Policies',
  description:
    'Irreversible: afterwards PoliciesService is unavailable, and RuleboardService is for signed-in users only. The ' +
    'ruleboards become the detection policies of the deployment. If the deployment is already migrated, the reply ' +
    'has the time of its migration.',
  maturity: 'beta',
  allow: 'policy:manage',
  credential: 'user',
  path: { deploymentId: deployment() },
  reply: { migratedAt: timestamp() },
  isExtension: true,
});
