import * as ruleboardItems from '#domain/policies/ruleboard-items.ts';
import * as boards from '#domain/policies/ruleboards.ts';
import { RULEBOARD_PRODUCTS, type RuleboardProduct } from '#domain/policies/shape.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { rulesetIdsFor } from './board-rules.ts';
import {
  annotateForScan,
  type BoardMode,
  boardProductOf,
  effectiveModes,
  ruleProductOf,
  strictestModes,
} from './rules.ts';
import type { LibraryRule, Rule, RuleProduct } from './shape.ts';
import { shippedRules } from './shipped-rules.ts';
import * as store from './store.ts';

export interface ScanTarget {
  deployment: string;
  /** Undefined if no project is scanned, as when an editor fetches rules: what applies to all projects applies. */
  project: string | undefined;
}

export interface ScanRuleRequest {
  products: readonly RuleProduct[];
  /** If given, only these rules. */
  partialRuleIds?: readonly string[] | undefined;
  baseUrl: string;
}

/** The modes of all rules that the boards or the policies of a product name, whether or not they exist. */
export interface ProductModes {
  product: RuleboardProduct;
  /** The default board of the product, which rules that no board names are shown with. */
  board: boards.RuleboardRecord;
  modes: Map<string, BoardMode<boards.RuleboardRecord>>;
}

/** The modes of the rules of a project, according to its boards. */
export async function listBoardModes(tx: Tx, { deployment, project }: ScanTarget): Promise<ProductModes[]> {
  const applied = await boards.listForProject(tx, deployment, project);
  const items = await ruleboardItems.listOfBoards(
    tx,
    deployment,
    applied.map(({ id }) => id),
  );
  return RULEBOARD_PRODUCTS.flatMap((product) => {
    const own = applied.filter((board) => board.product === product);
    const [board] = own;
    if (!board) return [];
    const modesOf = (id: string) => effectiveModes(items.get(id) ?? [], (name) => rulesetIdsFor(product, name));
    return [{ product, board, modes: strictestModes(own.map((one) => ({ board: one, modes: modesOf(one.id) }))) }];
  });
}

/** Scanners read lockfiles only if there is a dependency rule, whatever boards and policies say. */
function withDependencyRules({ board, modes }: ProductModes): ProductModes['modes'] {
  const all = new Map(modes);
  for (const { rule } of shippedRules().values())
    if (ruleProductOf(rule) === 'sca') all.set(rule.id, { mode: 'monitor', board });
  return all;
}

/** A rule that comments or blocks. */
export interface EnforcedRule {
  product: RuleboardProduct;
  rule: string;
  mode: 'comment' | 'block';
}

/** The rules that comment or block. */
export const enforcedRulesOf = (products: readonly ProductModes[]): EnforcedRule[] =>
  products.flatMap(({ product, modes }) =>
    [...modes].flatMap(([rule, { mode }]): EnforcedRule[] =>
      mode === 'comment' || mode === 'block' ? [{ product, rule, mode }] : [],
    ),
  );

/** The rules with these ids that exist, shipped or published. */
export async function findLibraryRules(
  tx: Tx,
  deployment: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, LibraryRule>> {
  const unshipped = ids.filter((id) => !shippedRules().has(id));
  const published = unshipped.length === 0 ? [] : await store.listByPaths(tx, deployment, unshipped);
  return new Map([
    ...published.map((rule): [string, LibraryRule] => [rule.path, store.libraryRuleOf(rule)]),
    ...shippedRules(),
  ]);
}

/** The rules of these modes that exist, in order of their ids, each annotated with its mode and board. */
export async function annotatedRules(
  tx: Tx,
  { deployment }: ScanTarget,
  { products, request }: { products: readonly ProductModes[]; request: ScanRuleRequest },
): Promise<Rule[]> {
  const library = await findLibraryRules(
    tx,
    deployment,
    products.flatMap(({ modes }) => [...modes.keys()]),
  );
  const partial = request.partialRuleIds && new Set(request.partialRuleIds);
  const rules = products.flatMap((one) =>
    [...withDependencyRules(one)].flatMap(([id, { mode, board }]) => {
      const known = library.get(id);
      if (!known || mode === 'disabled' || (partial && !partial.has(id))) return [];
      const product = ruleProductOf(known.rule);
      const isIncluded = boardProductOf(product) === one.product && request.products.includes(product);
      return isIncluded ? [annotateForScan(known, { mode, board, baseUrl: request.baseUrl })] : [];
    }),
  );
  return rules.sort((left, right) => (left.id < right.id ? -1 : 1));
}
