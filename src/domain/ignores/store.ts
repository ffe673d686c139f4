import { z } from 'zod';
import type { Tx } from '#kernel/db/tx.ts';
import { type IsIgnored, ignoring } from './matcher.ts';

export const IGNORING_PRODUCTS = ['sast', 'sca', 'secrets', 'ai_sast'] as const;
export type IgnoringProduct = (typeof IGNORING_PRODUCTS)[number];

const Ignores = z.object({ product: z.enum(IGNORING_PRODUCTS), patterns: z.array(z.string()) });
export type Ignores = z.output<typeof Ignores>;

/** The lists of all products that have one, as scanners take them. */
export const list = (tx: Tx, deployment: string): Promise<Ignores[]> =>
  tx.all(Ignores)`
    select product, patterns from product_ignores where deployment_id = ${deployment}
    order by array_position(${IGNORING_PRODUCTS}::text[], product)`;

export const save = (tx: Tx, deployment: string, { product, patterns }: Ignores): Promise<number> =>
  tx.run`
    insert into product_ignores (deployment_id, product, patterns) values (${deployment}, ${product}, ${patterns})
    on conflict (deployment_id, product) do update set patterns = excluded.patterns, updated_at = now()`;

export const remove = (tx: Tx, deployment: string, products: readonly IgnoringProduct[]): Promise<number> =>
  tx.run`delete from product_ignores where deployment_id = ${deployment} and product = any(${products}::text[])`;

/** Reads what a deployment ignores, ready to be asked for every path of a scan. */
export const loadIgnores = async (tx: Tx, deployment: string): Promise<IsIgnored> =>
  ignoring(await list(tx, deployment));
