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
  ruleIdOf,
  ruleProductOf,
  strictestModes,
} from './rules.ts';
import type { LibraryRule, Rule, RuleProduct } from './shape.ts';
import { shippedRules } from './shipped-rules.ts';
import * as store from './store.ts';

export interface ScanTarget {
  deployment: string;
  /** Undefined if no project is scanned, as when an editor fetches rules: the default boards apply. */
  project: string | undefined;
}

export interface ScanRuleRequest {
  products: readonly RuleProduct[];
  /** If given, only these rules. */
  partialRuleIds?: readonly string[] | undefined;
  baseUrl: string;
}

interface BoardWithItems {
  board: boards.RuleboardRecord;
  items: ruleboardItems.RuleboardItem[];
}

/** The boards that apply to a project, with their items. */
async function loadBoards(tx: Tx, { deployment, project }: ScanTarget): Promise<BoardWithItems[]> {
  const applied = await boards.listForProject(tx, deployment, project);
  const items = await ruleboardItems.listOfBoards(
    tx,
    deployment,
    applied.map(({ id }) => id),
  );
  return applied.map((board) => ({ board, items: items.get(board.id) ?? [] }));
}

/** The modes of all rules that the boards of a product name. */
const modesOf = (
  all: readonly BoardWithItems[],
  product: RuleboardProduct,
): Map<string, BoardMode<boards.RuleboardRecord>> =>
  strictestModes(
    all
      .filter(({ board }) => board.product === product)
      .map(({ board, items }) => ({ board, modes: effectiveModes(items, (name) => rulesetIdsFor(product, name)) })),
  );

/** Scanners read lockfiles only if there is a dependency rule, whatever the boards say. */
function addDependencyRules(
  modes: Map<string, BoardMode<boards.RuleboardRecord>>,
  board: boards.RuleboardRecord,
): void {
  for (const { rule } of shippedRules().values())
    if (ruleProductOf(rule) === 'sca') modes.set(rule.id, { mode: 'monitor', board });
}

/** A rule that comments or blocks. */
export interface EnforcedRule {
  product: RuleboardProduct;
  rule: string;
  mode: 'comment' | 'block';
}

/** The rules of a project that comment or block, for reports that do not say so themselves. */
export async function listEnforcedRules(tx: Tx, target: ScanTarget): Promise<EnforcedRule[]> {
  const all = await loadBoards(tx, target);
  return RULEBOARD_PRODUCTS.flatMap((product) =>
    [...modesOf(all, product)].flatMap(([rule, { mode }]): EnforcedRule[] =>
      mode === 'comment' || mode === 'block' ? [{ product, rule, mode }] : [],
    ),
  );
}

/** The rules for a scan of the project, in order of their ids, each annotated with its mode and board. */
export async function listRulesForScan(tx: Tx, target: ScanTarget, request: ScanRuleRequest): Promise<Rule[]> {
  const all = await loadBoards(tx, target);
  const named = all.flatMap(({ items }) => items).filter(({ kind }) => kind === 'rule');
  const published = await store.listByPaths(
    tx,
    target.deployment,
    named.map(({ path }) => ruleIdOf(path)),
  );
  const library = new Map([
    ...published.map((rule): [string, LibraryRule] => [rule.path, store.libraryRuleOf(rule)]),
    ...shippedRules(),
  ]);
  const partial = request.partialRuleIds && new Set(request.partialRuleIds);
  const rules = RULEBOARD_PRODUCTS.flatMap((boardProduct) => {
    const modes = modesOf(all, boardProduct);
    const defaultBoard = all.find(({ board }) => board.product === boardProduct)?.board;
    if (defaultBoard) addDependencyRules(modes, defaultBoard);
    return [...modes].flatMap(([id, { mode, board }]) => {
      const known = library.get(id);
      if (!known || mode === 'disabled' || (partial && !partial.has(id))) return [];
      const product = ruleProductOf(known.rule);
      const isIncluded = boardProductOf(product) === boardProduct && request.products.includes(product);
      return isIncluded ? [annotateForScan(known, { mode, board, baseUrl: request.baseUrl })] : [];
    });
  });
  return rules.sort((left, right) => (left.id < right.id ? -1 : 1));
}
