import { z } from 'zod';
import { count } from '#kernel/contract/proto-fields.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { DEFAULT_PRODUCT_SETTINGS, mergeProductSettings } from './rules.ts';
import { ProductChange, type ProductSettings } from './shape.ts';

const Row = z.object({ settings: ProductChange, version: count() });

export interface StoredProductConfig {
  /** Only what was ever set. */
  chosen: ProductChange;
  /** What holds: the defaults with what was set. */
  settings: ProductSettings;
  version: number;
}

const heldOf = (row: z.output<typeof Row> | undefined): StoredProductConfig => ({
  chosen: row?.settings ?? {},
  settings: mergeProductSettings(DEFAULT_PRODUCT_SETTINGS, row?.settings ?? {}),
  version: row?.version ?? 0,
});

/** How the products of a deployment are set; one that never set anything has the defaults at version 0. */
export const find = async (tx: Tx, deployment: string): Promise<StoredProductConfig> =>
  heldOf(await tx.one(Row)`select settings, version from product_config where deployment_id = ${deployment}`);

/** The same, held until the end of the transaction, so that no change is lost to another. */
export async function findForUpdate(tx: Tx, deployment: string): Promise<StoredProductConfig> {
  await tx.run`insert into product_config (deployment_id) values (${deployment}) on conflict do nothing`;
  return heldOf(
    await tx.one(Row)`
      select settings, version from product_config where deployment_id = ${deployment} for no key update`,
  );
}

/** Keeps what is chosen now. The row is held by the caller. */
export const save = async (tx: Tx, deployment: string, chosen: ProductChange): Promise<StoredProductConfig> =>
  heldOf(
    await tx.one(Row)`
      update product_config
      set settings = ${JSON.stringify(chosen)}::jsonb, version = version + 1, updated_at = now()
      where deployment_id = ${deployment}
      returning settings, version`,
  );
