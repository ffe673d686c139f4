import { z } from 'zod';
import * as deployments from '#domain/deployments/store.ts';
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

/** Records that the deployment was migrated to Unified Policies, irreversibly. The policies are locked. */
export async function recordMigration(tx: Tx, deployment: string): Promise<Date> {
  const row = await tx.one(Migrated)`
    insert into policy_migration (deployment_id) values (${deployment}) returning migrated_at as "migratedAt"`;
  if (!row) throw new Error('The migration of the deployment was not written.');
  return row.migratedAt;
}

async function refuseIfMigrated({ tx, caller }: Pick<Call, 'tx' | 'caller'>): Promise<void> {
  if ((await findMigratedAt(tx, caller.deployment)) === undefined) return;
  const successor = `/api/policies/v2/deployments/${caller.deployment}/detection-policy`;
  throw DEPLOYMENT_MIGRATED({ members: { links: { successor } } });
}

/** The lock that all changes of boards, automations and policies share, so that no change is lost. */
export const lockPolicies = (tx: Tx, deployment: string): Promise<unknown> => deployments.lock(tx, deployment);

/** Refuses all callers after the migration. */
export const refuseAfterMigration: OperationGate = { fault: DEPLOYMENT_MIGRATED, check: refuseIfMigrated };

/** Refuses tokens after the migration; users are still served, but boards no longer decide what scans run. */
export const refuseTokensAfterMigration: OperationGate = {
  fault: DEPLOYMENT_MIGRATED,
  check: async (call) => {
    if (call.caller.kind === 'token') await refuseIfMigrated(call);
  },
};
