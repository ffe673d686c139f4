import { triagePermissionOf } from '#domain/products/rules.ts';
import * as products from '#domain/products/store.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import type { Tx } from '#kernel/db/tx.ts';

/** What the caller may decide here; the settings are asked only of those for whom they make a difference. */
export async function permissionOf(tx: Tx, caller: Caller) {
  const given = (hasDeveloperTriage: boolean) => triagePermissionOf(caller.permissions, { hasDeveloperTriage });
  if (given(true) === given(false)) return given(true);
  return given((await products.find(tx, caller.deployment)).settings.hasDeveloperTriage);
}
