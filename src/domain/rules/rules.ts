import { columnNameOf, columnSlugOf } from '#domain/policies/rules.ts';
import type { RuleboardItemKind, RuleboardProduct, RuleMode } from '#domain/policies/shape.ts';
import type { LibraryRule, Rule, RuleProduct } from './shape.ts';

/** Which product a rule belongs to, as scanners decide it. */
export function ruleProductOf(rule: Rule): RuleProduct {
  if (rule['r2c-internal-project-depends-on'] !== undefined) return 'sca';
  return rule.metadata?.['product'] === 'secrets' ? 'secrets' : 'sast';
}

/** The kind of board that says what happens when a rule of the product matches. */
export const boardProductOf = (product: RuleProduct): RuleboardProduct => (product === 'secrets' ? 'secrets' : 'sast');

/** A board may name a rule as the registry does, or by its id alone; rulesets alike. */
export const ruleIdOf = (path: string): string => path.replace(/^r\//, '');
export const rulesetNameOf = (path: string): string => path.replace(/^p\//, '');

const STRICTNESS: Record<RuleMode, number> = { disabled: 0, monitor: 1, comment: 2, block: 3 };
const stricter = (one: RuleMode | undefined, other: RuleMode): RuleMode =>
  one !== undefined && STRICTNESS[one] >= STRICTNESS[other] ? one : other;

export interface RuleModeEntry {
  kind: RuleboardItemKind;
  path: string;
  mode: RuleMode;
}

/** The mode of each rule that a board names: a rule's own column wins, and of several rulesets the strictest. */
export function effectiveModes(
  items: readonly RuleModeEntry[],
  idsOfRuleset: (name: string) => readonly string[],
): Map<string, RuleMode> {
  const byRuleset = new Map<string, RuleMode>();
  const own = new Map<string, RuleMode>();
  for (const { kind, path, mode } of items) {
    if (kind === 'rule') own.set(ruleIdOf(path), stricter(own.get(ruleIdOf(path)), mode));
    else for (const id of idsOfRuleset(rulesetNameOf(path))) byRuleset.set(id, stricter(byRuleset.get(id), mode));
  }
  return new Map([...byRuleset, ...own]);
}

/** Scanners take a rule without actions for a blocking one, so every mode has a list of its own. */
const ACTIONS: Record<RuleMode, readonly string[]> = {
  disabled: [],
  monitor: [],
  comment: ['comment'],
  block: ['block'],
};

/** Keys by which the server speaks to scanners: what an author writes there must not speak for it. */
const isOfServer = (key: string): boolean => /^(dev\.semgrep|semgrep)\./.test(key);

export interface ScanAnnotation {
  mode: RuleMode;
  board: { id: string; product: RuleboardProduct };
  baseUrl: string;
}

/** A rule as it travels to a scanner, with what the board says about it and what names it when findings come back. */
export function annotateForScan(
  { rule, source, ruleId, versionId }: LibraryRule,
  { mode, board, baseUrl }: ScanAnnotation,
): Rule {
  const url = `${baseUrl}/r/${rule.id}`;
  const authored = Object.entries(rule.metadata ?? {}).filter(([key]) => !isOfServer(key));
  return {
    ...rule,
    metadata: {
      ...Object.fromEntries(authored),
      source: url,
      shortlink: url,
      'dev.semgrep.actions': ACTIONS[mode],
      'semgrep.policy': {
        id: Number(board.id),
        name: columnNameOf(board.product, mode),
        slug: columnSlugOf(board.product, mode),
      },
      'semgrep.dev.rule': {
        rule_id: ruleId,
        version_id: versionId,
        rule_name: rule.id,
        url,
        shortlink: url,
        origin: source === 'shipped' ? 'community' : 'custom',
      },
      'semgrep.url': url,
    },
  };
}
