import type { Caller } from '#kernel/auth/caller.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { triagePermissionOf } from './rules.ts';
import type { TriagePermission } from './shape.ts';
import * as store from './store.ts';

/** What the caller may do about findings. The settings are read only if they make a difference for this caller. */
export async function findTriagePermission(tx: Tx, { permissions, deployment }: Caller): Promise<TriagePermission> {
  const permissionWith = (hasDeveloperTriage: boolean) => triagePermissionOf(permissions, { hasDeveloperTriage });
  if (permissionWith(true) === permissionWith(false)) return permissionWith(true);
  return triagePermissionOf(permissions, (await store.find(tx, deployment)).settings);
}

/** True if the caller may ignore findings without an approval, and so may answer the requests of others. */
export const canIgnoreFindings = async (tx: Tx, caller: Caller): Promise<boolean> =>
  (await findTriagePermission(tx, caller)) === 'TRIAGE_PERMISSION_IGNORE';
