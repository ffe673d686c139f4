import { z } from 'zod';
import { fault } from '#kernel/contract/fault.ts';
import { timestamp } from '#kernel/contract/proto-fields.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { Call, OperationGate } from '#kernel/http/pipeline/group.ts';

const Migrated = z.object({ migratedAt: timestamp() });

export const DEPLOYMENT_MIGRATED = fault(
  'DEPLOYMENT_MIGRATED',
  410,
  'This deployment uses Unified Policies, so this operation is no longer available.',
  'Use PoliciesV2Service; `links.successor` names its detection policy.',
);

/** When the deployment was migrated to Unified Policies; undefined if it was not. */
export async function findMigratedAt(tx: Tx, deployment: string): Promise<Date | undefined> {
  const row = await tx.one(Migrated)`
    select migrated_at as "migratedAt" from policy_migration where deployment_id = ${deployment}`;
  return row?.migratedAt;
}

/** Migrates the deployment to Unified Policies, once and irreversibly. */
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

async function refuseIfMigrated({ tx, caller }: Call): Promise<void> {
  if ((await findMigratedAt(tx, caller.deployment)) === undefined) return;
  const successor = `/api/policies/v2/deployments/${caller.deployment}/detection-policy`;
  throw DEPLOYMENT_MIGRATED({ members: { links: { successor } } });
}

/** Refuses all callers after the migration. */
export const refuseAfterMigration: OperationGate = { fault: DEPLOYMENT_MIGRATED, check: refuseIfMigrated };

/** Refuses tokens after the migration; signed-in users are still served. */
export const refuseTokensAfterMigration: OperationGate = {
  fault: DEPLOYMENT_MIGRATED,
  check: async (call) => {
    if (call.caller.kind === 'token') await refuseIfMigrated(call);
  },
};
