import { findMigratedAt, lockPolicies, recordMigration } from '#domain/policies/unified-policies.ts';
import { bundleOf } from '#domain/unified-policies/detection-bundle.ts';
import { applyMigration, planMigration } from '#domain/unified-policies/migrate-boards.ts';
import { loadPolicyNames } from '#domain/unified-policies/policy-names.ts';
import { policiesOf } from '#domain/unified-policies/remediation-bundle.ts';
import { BOARD_PRODUCTS, DETECTION_PRODUCTS } from '#domain/unified-policies/shape.ts';
import type { Call } from '#kernel/http/pipeline/group.ts';
import { slugOfDeployment } from './deployment-slug.ts';

/** What the migration would make; nothing if the deployment is already migrated. */
export async function preview(call: Pick<Call, 'tx' | 'caller'>) {
  const { tx, caller } = call;
  const { deployment } = caller;
  const migratedAt = await findMigratedAt(tx, deployment);
  if (migratedAt) return { migratedAt, detectionPolicies: [], remediationPolicies: [], comparedGroups: 0 };
  const plan = await planMigration(tx, deployment);
  const deployment_slug = await slugOfDeployment(call);
  const policies = plan.policies.map((policy) => ({ ...policy, active: true }));
  return {
    detectionPolicies: DETECTION_PRODUCTS.flatMap((product) => {
      const policy = plan.detection.get(BOARD_PRODUCTS[product]);
      return policy ? [{ deployment_slug, ...bundleOf(product, policy) }] : [];
    }),
    remediationPolicies: policiesOf(policies, await loadPolicyNames(tx, { deployment }, policies)),
    comparedGroups: plan.comparedGroups,
  };
}

/** Migrates the deployment once: boards are locked, so that what is compared is what is migrated. */
export async function migrate({ tx, caller, answer }: Pick<Call, 'tx' | 'caller' | 'answer'>) {
  const { deployment } = caller;
  const object = `deployment/${deployment}`;
  await lockPolicies(tx, deployment);
  const earlier = await findMigratedAt(tx, deployment);
  if (earlier) {
    answer.recordEffect({ object });
    return { migratedAt: earlier };
  }
  const plan = await planMigration(tx, deployment);
  const migratedAt = await recordMigration(tx, deployment);
  await applyMigration(tx, { deployment, by: caller.name }, plan);
  answer.recordEffect({
    object,
    before: { migratedAt: null },
    after: {
      migratedAt,
      boards: plan.boards.length,
      remediationPolicies: plan.policies.map(({ slug }) => slug),
      exceptions: [...plan.detection.values()].reduce((sum, { exceptions }) => sum + exceptions.length, 0),
    },
  });
  return { migratedAt };
}
