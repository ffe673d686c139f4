import * as items from '#domain/policies/ruleboard-items.ts';
import * as boards from '#domain/policies/ruleboards.ts';
import type { RuleMode } from '#domain/policies/shape.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { annotateForScan, boardProductOf, effectiveModes, ruleIdOf, ruleProductOf } from './rules.ts';
import type { LibraryRule, Rule, RuleProduct } from './shape.ts';
import { rulesOfRuleset, shippedRules } from './shipped-rules.ts';
import * as store from './store.ts';

export interface ScanTarget {
  deployment: string;
  /** Undefined where no project is scanned, as when an editor asks for rules: the default boards then count. */
  project: string | undefined;
}

export interface ScanRuleRequest {
  products: readonly RuleProduct[];
  /** Only these of the rules, when given. */
  partialRuleIds?: readonly string[] | undefined;
  baseUrl: string;
}

interface BoardWithItems {
  board: boards.RuleboardRecord;
  placed: items.RuleboardItem[];
}

const idsOfRuleset = (name: string): string[] => rulesOfRuleset(name)?.map(({ rule }) => rule.id) ?? [];

/** What the items of a board say; a board that nobody has touched runs the whole pack without acting on it. */
function modesOfBoard(placed: readonly items.RuleboardItem[]): Map<string, RuleMode> {
  if (placed.length > 0) return effectiveModes(placed, idsOfRuleset);
  return new Map(idsOfRuleset('parapet').map((id) => [id, 'monitor']));
}

function placedOn(
  { board, placed }: BoardWithItems,
  library: ReadonlyMap<string, LibraryRule>,
  wish: ScanRuleRequest,
): Rule[] {
  const modes = modesOfBoard(placed);
  // Scanners read lock files only when some rule asks about dependencies, whatever the board says.
  for (const { rule } of shippedRules().values()) if (ruleProductOf(rule) === 'sca') modes.set(rule.id, 'monitor');
  return [...modes].flatMap(([id, mode]) => {
    const known = library.get(id);
    if (!known || mode === 'disabled') return [];
    const product = ruleProductOf(known.rule);
    const isWanted = boardProductOf(product) === board.product && wish.products.includes(product);
    return isWanted ? [annotateForScan(known, { mode, board, baseUrl: wish.baseUrl })] : [];
  });
}

/** A rule whose board asks for more than to be watched. */
export interface EnforcedRule {
  product: boards.RuleboardRecord['product'];
  rule: string;
  mode: 'comment' | 'block';
}

/** What the boards of a project ask for, for reports that carry no word of it. */
export async function listEnforcedRules(tx: Tx, { deployment, project }: ScanTarget): Promise<EnforcedRule[]> {
  const acting: EnforcedRule[] = [];
  for (const board of await boards.listForProject(tx, deployment, project))
    for (const [rule, mode] of modesOfBoard(await items.list(tx, { deployment, board: board.id })))
      if (mode === 'comment' || mode === 'block') acting.push({ product: board.product, rule, mode });
  return acting;
}

/** The rules that a scan of the project runs, in the order of their ids, each with what its board says about it. */
export async function listRulesForScan(
  tx: Tx,
  { deployment, project }: ScanTarget,
  wish: ScanRuleRequest,
): Promise<Rule[]> {
  const all: BoardWithItems[] = [];
  for (const board of await boards.listForProject(tx, deployment, project))
    all.push({ board, placed: await items.list(tx, { deployment, board: board.id }) });
  const named = all.flatMap(({ placed }) => placed).filter(({ kind }) => kind === 'rule');
  const published = await store.listByPaths(
    tx,
    deployment,
    named.map(({ path }) => ruleIdOf(path)),
  );
  const library = new Map([
    ...published.map((one): [string, LibraryRule] => [one.path, store.libraryRuleOf(one)]),
    ...shippedRules(),
  ]);
  const partial = wish.partialRuleIds && new Set(wish.partialRuleIds);
  return all
    .flatMap((one) => placedOn(one, library, wish))
    .filter(({ id }) => !partial || partial.has(id))
    .sort((one, other) => (one.id < other.id ? -1 : 1));
}
