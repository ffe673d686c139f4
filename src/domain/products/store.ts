import { z } from 'zod';
import { count } from '#kernel/contract/proto-fields.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { DEFAULT_PRODUCT_SETTINGS, mergeProductSettings } from './rules.ts';
import { ProductChange, type ProductSettings } from './shape.ts';

const Row = z.object({ settings: ProductChange, version: count() });

export interface StoredProductConfig {
  /** Only the settings that were changed from their defaults. */
  chosen: ProductChange;
  /** The effective settings: the defaults with the changes. */
  settings: ProductSettings;
  version: number;
}

const configOf = (row: z.output<typeof Row> | undefined): StoredProductConfig => ({
  chosen: row?.settings ?? {},
  settings: mergeProductSettings(DEFAULT_PRODUCT_SETTINGS, row?.settings ?? {}),
  version: row?.version ?? 0,
});

/** The product configuration of a deployment; without any change it has the defaults and version 0. */
export const find = async (tx: Tx, deployment: string): Promise<StoredProductConfig> =>
  configOf(await tx.one(Row)`select settings, version from product_config where deployment_id = ${deployment}`);

/** The configuration, locked until the end of the transaction, so that no change is lost. */
export async function findForUpdate(tx: Tx, deployment: string): Promise<StoredProductConfig> {
  await tx.run`insert into product_config (deployment_id) values (${deployment}) on conflict do nothing`;
  return configOf(
    await tx.one(Row)`
      select settings, version from product_config where deployment_id = ${deployment} for no key update`,
  );
}

/** Saves the changed settings. The caller has locked the row. */
export const save = async (tx: Tx, deployment: string, chosen: ProductChange): Promise<StoredProductConfig> =>
  configOf(
    await tx.one(Row)`
      update product_config
      set settings = ${JSON.stringify(chosen)}::jsonb, version = version + 1, updated_at = now()
      where deployment_id = ${deployment}
      returning settings, version`,
  );
