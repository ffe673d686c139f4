import { z } from 'zod';
import { count } from '#kernel/contract/proto.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { DEFAULTS, merged } from './rules.ts';
import { ProductChange, type ProductSettings } from './shape.ts';

const Row = z.object({ settings: ProductChange, version: count() });

export interface Held {
  /** Only what was ever set. */
  chosen: ProductChange;
  /** What holds: the defaults with what was set. */
  settings: ProductSettings;
  version: number;
}

const heldOf = (row: z.output<typeof Row> | undefined): Held => ({
  chosen: row?.settings ?? {},
  settings: merged(DEFAULTS, row?.settings ?? {}),
  version: row?.version ?? 0,
});

/** How the products of a deployment are set; one that never set anything has the defaults at version 0. */
export const find = async (tx: Tx, deployment: string): Promise<Held> =>
  heldOf(await tx.one(Row)`select settings, version from product_config where deployment_id = ${deployment}`);

/** The same, held until the end of the transaction, so that no change is lost to another. */
export async function findForUpdate(tx: Tx, deployment: string): Promise<Held> {
  await tx.run`insert into product_config (deployment_id) values (${deployment}) on conflict do nothing`;
  return heldOf(
    await tx.one(Row)`
      select settings, version from product_config where deployment_id = ${deployment} for no key update`,
  );
}

/** Keeps what is chosen now. The row is held by the caller. */
export const save = async (tx: Tx, deployment: string, chosen: ProductChange): Promise<Held> =>
  heldOf(
    await tx.one(Row)`
      update product_config
      set settings = ${JSON.stringify(chosen)}::jsonb, version = version + 1, updated_at = now()
      where deployment_id = ${deployment}
      returning settings, version`,
  );
