import { migrateToUnifiedPolicies } from '#domain/policies/unified-policies.ts';
import { group } from '#kernel/http/pipeline/group.ts';
import * as contract from './contract.ts';

/** PoliciesV2Service: the migration to Unified Policies. */
export const policiesV2 = group('PoliciesV2Service', contract, {
  migrateDeployment: async ({ path, tx, answer }) => {
    const { migratedAt, isNew } = await migrateToUnifiedPolicies(tx, path.deploymentId);
    const object = `deployment/${path.deploymentId}`;
    answer.recordEffect(isNew ? { object, before: { migratedAt: null }, after: { migratedAt } } : { object });
    return { migratedAt };
  },
});
