import * as ruleboardItems from '#domain/policies/ruleboard-items.ts';
import * as boards from '#domain/policies/ruleboards.ts';
import type { RuleMode } from '#domain/policies/shape.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { annotateForScan, boardProductOf, effectiveModes, ruleIdOf, ruleProductOf } from './rules.ts';
import type { LibraryRule, Rule, RuleProduct } from './shape.ts';
import { rulesOfRuleset, shippedRules } from './shipped-rules.ts';
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

const idsOfRuleset = (name: string): string[] => rulesOfRuleset(name)?.map(({ rule }) => rule.id) ?? [];

/** The modes of the rules of a board; an empty board runs all shipped rules in monitor mode. */
function modesOfBoard(items: readonly ruleboardItems.RuleboardItem[]): Map<string, RuleMode> {
  if (items.length > 0) return effectiveModes(items, idsOfRuleset);
  return new Map(idsOfRuleset('parapet').map((id) => [id, 'monitor']));
}

function rulesOfBoard(
  { board, items }: BoardWithItems,
  library: ReadonlyMap<string, LibraryRule>,
  request: ScanRuleRequest,
): Rule[] {
  const modes = modesOfBoard(items);
  // Scanners read lockfiles only if there is a dependency rule, whatever the board says.
  for (const { rule } of shippedRules().values()) if (ruleProductOf(rule) === 'sca') modes.set(rule.id, 'monitor');
  return [...modes].flatMap(([id, mode]) => {
    const known = library.get(id);
    if (!known || mode === 'disabled') return [];
    const product = ruleProductOf(known.rule);
    const isIncluded = boardProductOf(product) === board.product && request.products.includes(product);
    return isIncluded ? [annotateForScan(known, { mode, board, baseUrl: request.baseUrl })] : [];
  });
}

/** A rule that comments or blocks. */
export interface EnforcedRule {
  product: boards.RuleboardRecord['product'];
  rule: string;
  mode: 'comment' | 'block';
}

/** The rules of a project that comment or block, for reports that do not say so themselves. */
export async function listEnforcedRules(tx: Tx, { deployment, project }: ScanTarget): Promise<EnforcedRule[]> {
  const enforced: EnforcedRule[] = [];
  for (const board of await boards.listForProject(tx, deployment, project))
    for (const [rule, mode] of modesOfBoard(await ruleboardItems.list(tx, { deployment, board: board.id })))
      if (mode === 'comment' || mode === 'block') enforced.push({ product: board.product, rule, mode });
  return enforced;
}

/** The rules for a scan of the project, in order of their ids, each annotated with its mode and board. */
export async function listRulesForScan(
  tx: Tx,
  { deployment, project }: ScanTarget,
  request: ScanRuleRequest,
): Promise<Rule[]> {
  const all: BoardWithItems[] = [];
  for (const board of await boards.listForProject(tx, deployment, project))
    all.push({ board, items: await ruleboardItems.list(tx, { deployment, board: board.id }) });
  const named = all.flatMap(({ items }) => items).filter(({ kind }) => kind === 'rule');
  const published = await store.listByPaths(
    tx,
    deployment,
    named.map(({ path }) => ruleIdOf(path)),
  );
  const library = new Map([
    ...published.map((rule): [string, LibraryRule] => [rule.path, store.libraryRuleOf(rule)]),
    ...shippedRules(),
  ]);
  const partial = request.partialRuleIds && new Set(request.partialRuleIds);
  return all
    .flatMap((board) => rulesOfBoard(board, library, request))
    .filter(({ id }) => !partial || partial.has(id))
    .sort((left, right) => (left.id < right.id ? -1 : 1));
}
