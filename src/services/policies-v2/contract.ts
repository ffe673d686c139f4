import { operation } from '#kernel/contract/operation.ts';
import { deployment, timestamp } from '#kernel/contract/proto-fields.ts';

export const migrateDeployment = operation({
  route: 'POST /api/policies/v2/deployments/{deploymentId}:migrate',
  summary: 'Put a deployment on the Unified Policies model',
  description:
    'One way: PoliciesService is gone afterwards, and RuleboardService is for signed-in users only. The ruleboards ' +
    'become the detection policies of the deployment. A deployment that is migrated already stays as it is, and the ' +
    'reply says since when.',
  maturity: 'beta',
  allow: 'policy:manage',
  credential: 'user',
  path: { deploymentId: deployment() },
  reply: { migratedAt: timestamp() },
  isExtension: true,
});
