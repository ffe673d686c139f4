import { triagePermissionOf } from '#domain/products/rules.ts';
import * as products from '#domain/products/store.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import type { Tx } from '#kernel/db/tx.ts';

/** The triage permission of the caller. Reads the settings only if they make a difference for this caller. */
export async function permissionOf(tx: Tx, caller: Caller) {
  const given = (hasDeveloperTriage: boolean) => triagePermissionOf(caller.permissions, { hasDeveloperTriage });
  if (given(true) === given(false)) return given(true);
  return given((await products.find(tx, caller.deployment)).settings.hasDeveloperTriage);
}
