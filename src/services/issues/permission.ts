import { triagePermissionOf } from '#domain/products/rules.ts';
import * as products from '#domain/products/store.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import type { Tx } from '#kernel/db/tx.ts';

/** What the caller may decide about issues here. */
export async function permissionOf(tx: Tx, caller: Caller) {
  const { settings } = await products.find(tx, caller.deployment);
  return triagePermissionOf(caller.permissions, settings);
}
