import type { RuleboardItem } from '#domain/policies/ruleboard-items.ts';
import type { RuleboardProduct } from '#domain/policies/shape.ts';
import { boardProductOf, isStricter, ruleIdOf, ruleProductOf, rulesetNameOf } from './rules.ts';
import { rulesOfRuleset } from './shipped-rules.ts';

/** The ids of a ruleset's rules that a board of the product runs. */
export const rulesetIdsFor = (product: RuleboardProduct, name: string): string[] =>
  (rulesOfRuleset(name) ?? []).flatMap(({ rule }) =>
    boardProductOf(ruleProductOf(rule)) === product ? [rule.id] : [],
  );

/** A rule of a board, by its own item or by that of a ruleset. */
export type BoardRule = Omit<RuleboardItem, 'kind'>;

/** The rules of a board with those of its rulesets, in order of their paths. */
export function expandRulesets(product: RuleboardProduct, items: readonly RuleboardItem[]): BoardRule[] {
  const own = items.filter(({ kind }) => kind === 'rule');
  const named = new Set(own.map(({ path }) => ruleIdOf(path)));
  const byRuleset = new Map<string, BoardRule>();
  for (const { kind, path, ...item } of items) {
    if (kind !== 'ruleset') continue;
    for (const id of rulesetIdsFor(product, rulesetNameOf(path)))
      if (!named.has(id) && isStricter(item.mode, byRuleset.get(id)?.mode)) byRuleset.set(id, { ...item, path: id });
  }
  const rules = [...own.map(({ kind: _, ...rule }): BoardRule => rule), ...byRuleset.values()];
  return rules.sort((left, right) => (left.path < right.path ? -1 : 1));
}
