import { columnNameOf, columnOf } from '#domain/policies/rules.ts';
import type { Kind, Mode, Product } from '#domain/policies/shape.ts';
import type { LibraryRule, Rule, ScanProduct } from './shape.ts';

/** Which product a rule belongs to, as scanners decide it. */
export function productOf(rule: Rule): ScanProduct {
  if (rule['r2c-internal-project-depends-on'] !== undefined) return 'sca';
  return rule.metadata?.['product'] === 'secrets' ? 'secrets' : 'sast';
}

/** The kind of board that says what happens when a rule of the product matches. */
export const boardProductOf = (product: ScanProduct): Product => (product === 'secrets' ? 'secrets' : 'sast');

/** A board may name a rule as the registry does, or by its id alone; rulesets alike. */
export const ruleIdOf = (path: string): string => path.replace(/^r\//, '');
export const rulesetNameOf = (path: string): string => path.replace(/^p\//, '');

const STRICTNESS: Record<Mode, number> = { disabled: 0, monitor: 1, comment: 2, block: 3 };
const stricter = (one: Mode | undefined, other: Mode): Mode =>
  one !== undefined && STRICTNESS[one] >= STRICTNESS[other] ? one : other;

export interface Placed {
  kind: Kind;
  path: string;
  mode: Mode;
}

/** The mode of each rule that a board names: a rule's own column wins, and of several rulesets the strictest. */
export function modesOf(
  items: readonly Placed[],
  idsOfRuleset: (name: string) => readonly string[],
): Map<string, Mode> {
  const byRuleset = new Map<string, Mode>();
  const own = new Map<string, Mode>();
  for (const { kind, path, mode } of items) {
    if (kind === 'rule') own.set(ruleIdOf(path), stricter(own.get(ruleIdOf(path)), mode));
    else for (const id of idsOfRuleset(rulesetNameOf(path))) byRuleset.set(id, stricter(byRuleset.get(id), mode));
  }
  return new Map([...byRuleset, ...own]);
}

/** Scanners take a rule without actions for a blocking one, so every mode has a list of its own. */
const ACTIONS: Record<Mode, readonly string[]> = {
  disabled: [],
  monitor: [],
  comment: ['comment'],
  block: ['block'],
};

/** Keys by which the server speaks to scanners: what an author writes there must not speak for it. */
const isOfServer = (key: string): boolean => /^(dev\.semgrep|semgrep)\./.test(key);

export interface Stamp {
  mode: Mode;
  board: { id: string; product: Product };
  baseUrl: string;
}

/** A rule as it travels to a scanner, with what the board says about it and what names it when findings come back. */
export function stamped({ rule, source, ruleId, versionId }: LibraryRule, { mode, board, baseUrl }: Stamp): Rule {
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
        slug: columnOf(board.product, mode),
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
