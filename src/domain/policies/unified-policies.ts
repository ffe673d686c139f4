import { z } from 'zod';
import { fault } from '#kernel/contract/fault.ts';
import { timestamp } from '#kernel/contract/proto-fields.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { Call, OperationGate } from '#kernel/http/pipeline/group.ts';

const Migrated = z.object({ migratedAt: timestamp() });

export const DEPLOYMENT_MIGRATED = fault(
  'DEPLOYMENT_MIGRATED',
  410,
  'This deployment uses Unified Policies, so this operation is gone.',
  'Use PoliciesV2Service; `links.successor` names its detection policy.',
);

/** When the deployment left the older model, or undefined while it is on it. */
export async function findMigratedAt(tx: Tx, deployment: string): Promise<Date | undefined> {
  const row = await tx.one(Migrated)`
    select migrated_at as "migratedAt" from policy_migration where deployment_id = ${deployment}`;
  return row?.migratedAt;
}

/** Puts the deployment on the Unified Policies model; the first time counts, and there is no way back. */
export async function migrateToUnifiedPolicies(
  tx: Tx,
  deployment: string,
): Promise<{ migratedAt: Date; isNew: boolean }> {
  const changed = await tx.run`
    insert into policy_migration (deployment_id) values (${deployment}) on conflict (deployment_id) do nothing`;
  const migratedAt = await findMigratedAt(tx, deployment);
  if (!migratedAt) throw new Error('The migration of the deployment was not written.');
  return { migratedAt, isNew: changed === 1 };
}

async function refuse({ tx, caller }: Call): Promise<void> {
  if ((await findMigratedAt(tx, caller.deployment)) === undefined) return;
  const successor = `/api/policies/v2/deployments/${caller.deployment}/detection-policy`;
  throw DEPLOYMENT_MIGRATED({ members: { links: { successor } } });
}

/** After the migration nobody comes through. */
export const refuseAfterMigration: OperationGate = { fault: DEPLOYMENT_MIGRATED, check: refuse };

/** After the migration people still come through, programs do not. */
export const refuseTokensAfterMigration: OperationGate = {
  fault: DEPLOYMENT_MIGRATED,
  check: async (call) => {
    if (call.caller.kind === 'token') await refuse(call);
  },
};
