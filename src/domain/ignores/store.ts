import { z } from 'zod';
import type { Tx } from '#kernel/db/tx.ts';
import { createIgnoreMatcher, type IgnoreMatcher } from './ignore-matcher.ts';

export const IGNORE_LIST_PRODUCTS = ['sast', 'sca', 'secrets', 'ai_sast'] as const;
export type IgnoreListProduct = (typeof IGNORE_LIST_PRODUCTS)[number];

const IgnoreList = z.object({ product: z.enum(IGNORE_LIST_PRODUCTS), patterns: z.array(z.string()) });
export type IgnoreList = z.output<typeof IgnoreList>;

/** The ignore lists of all products that have one, in the order that scanners expect. */
export const list = (tx: Tx, deployment: string): Promise<IgnoreList[]> =>
  tx.all(IgnoreList)`
    select product, patterns from ignore_list where deployment_id = ${deployment}
    order by array_position(${IGNORE_LIST_PRODUCTS}::text[], product)`;

export const save = (tx: Tx, deployment: string, { product, patterns }: IgnoreList): Promise<number> =>
  tx.run`
    insert into ignore_list (deployment_id, product, patterns) values (${deployment}, ${product}, ${patterns})
    on conflict (deployment_id, product) do update set patterns = excluded.patterns, updated_at = now()`;

export const remove = (tx: Tx, deployment: string, products: readonly IgnoreListProduct[]): Promise<number> =>
  tx.run`delete from ignore_list where deployment_id = ${deployment} and product = any(${products}::text[])`;

/** Loads the ignore lists of a deployment as a matcher for the paths of a scan. */
export const loadIgnoreMatcher = async (tx: Tx, deployment: string): Promise<IgnoreMatcher> =>
  createIgnoreMatcher(await list(tx, deployment));
