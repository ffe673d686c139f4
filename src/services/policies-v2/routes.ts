import { migrate } from '#domain/policies/migration.ts';
import { group } from '#kernel/http/group.ts';
import * as contract from './contract.ts';

/** PoliciesV2Service: deployments on the Unified Policies model, and the way there. */
export const policiesV2 = group('PoliciesV2Service', contract, {
  migrateDeployment: async ({ path, tx, answer }) => {
    const { migratedAt, isNew } = await migrate(tx, path.deploymentId);
    const object = `deployment/${path.deploymentId}`;
    answer.changed(isNew ? { object, before: { migratedAt: null }, after: { migratedAt } } : { object });
    return { migratedAt };
  },
});
