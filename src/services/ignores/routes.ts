import * as deployments from '#domain/deployments/store.ts';
import * as store from '#domain/ignores/store.ts';
import { IGNORE_LIST_PRODUCTS, type IgnoreList, type IgnoreListProduct } from '#domain/ignores/store.ts';
import type { Product } from '#domain/products/shape.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { type Call, group } from '#kernel/http/pipeline/group.ts';
import * as contract from './contract.ts';

const INSIDE: Record<Product, IgnoreListProduct> = {
  PRODUCT_SAST: 'sast',
  PRODUCT_SCA: 'sca',
  PRODUCT_SECRETS: 'secrets',
  PRODUCT_AI_SAST: 'ai_sast',
};
const OUTSIDE = Object.fromEntries(Object.entries(INSIDE).map(([name, product]) => [product, name])) as Record<
  IgnoreListProduct,
  Product
>;

type Wish = readonly { product: Product; ignores?: string[] | undefined }[];

/** One list for each product that is named, without repetitions; a product may be named more than once. */
function wishedIn(wish: Wish = []): IgnoreList[] {
  const byProduct = Map.groupBy(wish, ({ product }) => INSIDE[product]);
  return [...byProduct].map(([product, parts]) => ({
    product,
    patterns: [...new Set(parts.flatMap(({ ignores = [] }) => ignores))],
  }));
}

/** Keeps the lists as they shall be, and writes down what they were. */
async function change(
  { tx, answer }: Pick<Call, 'tx' | 'answer'>,
  deployment: string,
  listsAfter: (before: readonly IgnoreList[]) => readonly IgnoreList[],
): Promise<Record<string, never>> {
  await deployments.lock(tx, deployment);
  const before = await store.list(tx, deployment);
  const after = listsAfter(before);
  await keep(tx, deployment, after);
  const named = new Set(after.map(({ product }) => product));
  answer.recordEffect({ object: 'ignores', before: before.filter(({ product }) => named.has(product)), after });
  return {};
}

async function keep(tx: Tx, deployment: string, lists: readonly IgnoreList[]): Promise<void> {
  const empty = lists.filter(({ patterns }) => patterns.length === 0).map(({ product }) => product);
  for (const list of lists) if (list.patterns.length > 0) await store.save(tx, deployment, list);
  if (empty.length > 0) await store.remove(tx, deployment, empty);
}

function refuseFull({ patterns }: IgnoreList): void {
  if (patterns.length > contract.MAX_IGNORE_PATTERNS)
    throw contract.IGNORES_FULL({ most: contract.MAX_IGNORE_PATTERNS });
}

/** IgnoresService: the paths that scans leave out, in all projects. */
export const ignores = group('IgnoresService', contract, {
  getDeploymentProductIgnores: async ({ path, tx }) => ({
    productIgnores: (await store.list(tx, path.deploymentId)).map(({ product, patterns }) => ({
      product: OUTSIDE[product],
      ignores: patterns,
    })),
  }),

  createDeploymentProductIgnores: ({ path, body, tx, answer }) =>
    change({ tx, answer }, path.deploymentId, (before) => {
      const lists = wishedIn(body.productIgnores).map(({ product, patterns }) => {
        const there = before.find((one) => one.product === product)?.patterns ?? [];
        return { product, patterns: [...new Set([...there, ...patterns])] };
      });
      for (const list of lists) refuseFull(list);
      return lists;
    }),

  updateDeploymentProductIgnores: ({ path, body, tx, answer }) =>
    change({ tx, answer }, path.deploymentId, () => {
      const lists = wishedIn(body.productIgnores);
      for (const list of lists) refuseFull(list);
      return lists;
    }),

  deleteDeploymentProductIgnores: ({ path, query, tx, answer }) =>
    change({ tx, answer }, path.deploymentId, () => {
      const { product } = query;
      const products =
        product === undefined || product === 'PRODUCT_UNSPECIFIED' ? IGNORE_LIST_PRODUCTS : [INSIDE[product]];
      return products.map((one) => ({ product: one, patterns: [] }));
    }),
});
