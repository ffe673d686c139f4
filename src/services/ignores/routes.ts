import * as deployments from '#domain/deployments/store.ts';
import * as store from '#domain/ignores/store.ts';
import { IGNORE_LIST_PRODUCTS, type IgnoreList, type IgnoreListProduct } from '#domain/ignores/store.ts';
import type { Product } from '#domain/products/shape.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { type Call, group } from '#kernel/http/pipeline/group.ts';
import * as contract from './contract.ts';

const STORED_PRODUCT: Record<Product, IgnoreListProduct> = {
  PRODUCT_SAST: 'sast',
  PRODUCT_SCA: 'sca',
  PRODUCT_SECRETS: 'secrets',
  PRODUCT_AI_SAST: 'ai_sast',
};
const API_PRODUCT = Object.fromEntries(
  Object.entries(STORED_PRODUCT).map(([name, product]) => [product, name]),
) as Record<IgnoreListProduct, Product>;

type IgnoreInput = readonly { product: Product; ignores?: string[] | undefined }[];

/** One list per product, without duplicates; the input may contain a product more than once. */
function ignoreListsOf(input: IgnoreInput = []): IgnoreList[] {
  const byProduct = Map.groupBy(input, ({ product }) => STORED_PRODUCT[product]);
  return [...byProduct].map(([product, parts]) => ({
    product,
    patterns: [...new Set(parts.flatMap(({ ignores = [] }) => ignores))],
  }));
}

/** Saves the new lists and records the change. */
async function change(
  { tx, answer }: Pick<Call, 'tx' | 'answer'>,
  deployment: string,
  listsAfter: (before: readonly IgnoreList[]) => readonly IgnoreList[],
): Promise<Record<string, never>> {
  await deployments.lock(tx, deployment);
  const before = await store.list(tx, deployment);
  const after = listsAfter(before);
  await save(tx, deployment, after);
  const named = new Set(after.map(({ product }) => product));
  answer.recordEffect({ object: 'ignores', before: before.filter(({ product }) => named.has(product)), after });
  return {};
}

async function save(tx: Tx, deployment: string, lists: readonly IgnoreList[]): Promise<void> {
  const empty = lists.filter(({ patterns }) => patterns.length === 0).map(({ product }) => product);
  for (const list of lists) if (list.patterns.length > 0) await store.save(tx, deployment, list);
  if (empty.length > 0) await store.remove(tx, deployment, empty);
}

function refuseTooManyPatterns({ patterns }: IgnoreList): void {
  if (patterns.length > contract.MAX_IGNORE_PATTERNS)
    throw contract.IGNORES_FULL({ most: contract.MAX_IGNORE_PATTERNS });
}

/** IgnoresService: the paths that scans ignore in all projects. */
export const ignores = group('IgnoresService', contract, {
  getDeploymentProductIgnores: async ({ path, tx }) => ({
    productIgnores: (await store.list(tx, path.deploymentId)).map(({ product, patterns }) => ({
      product: API_PRODUCT[product],
      ignores: patterns,
    })),
  }),

  createDeploymentProductIgnores: ({ path, body, tx, answer }) =>
    change({ tx, answer }, path.deploymentId, (before) => {
      const lists = ignoreListsOf(body.productIgnores).map(({ product, patterns }) => {
        const existing = before.find((list) => list.product === product)?.patterns ?? [];
        return { product, patterns: [...new Set([...existing, ...patterns])] };
      });
      for (const list of lists) refuseTooManyPatterns(list);
      return lists;
    }),

  updateDeploymentProductIgnores: ({ path, body, tx, answer }) =>
    change({ tx, answer }, path.deploymentId, () => {
      const lists = ignoreListsOf(body.productIgnores);
      for (const list of lists) refuseTooManyPatterns(list);
      return lists;
    }),

  deleteDeploymentProductIgnores: ({ path, query, tx, answer }) =>
    change({ tx, answer }, path.deploymentId, () => {
      const { product } = query;
      const products =
        product === undefined || product === 'PRODUCT_UNSPECIFIED' ? IGNORE_LIST_PRODUCTS : [STORED_PRODUCT[product]];
      return products.map((emptied) => ({ product: emptied, patterns: [] }));
    }),
});
