import { columnNameOf, columnSlugOf } from '#domain/policies/rules.ts';
import type { RuleboardItemKind, RuleboardProduct, RuleMode } from '#domain/policies/shape.ts';
import type { LibraryRule, Rule, RuleProduct } from './shape.ts';

/** The product of a rule, as scanners determine it. */
export function ruleProductOf(rule: Rule): RuleProduct {
  if (rule['r2c-internal-project-depends-on'] !== undefined) return 'sca';
  return rule.metadata?.['product'] === 'secrets' ? 'secrets' : 'sast';
}

/** The kind of board that holds rules of the product. */
export const boardProductOf = (product: RuleProduct): RuleboardProduct => (product === 'secrets' ? 'secrets' : 'sast');

/** A board may name a rule or ruleset with or without the prefix of the registry. */
export const ruleIdOf = (path: string): string => path.replace(/^r\//, '');
export const rulesetNameOf = (path: string): string => path.replace(/^p\//, '');

const STRICTNESS: Record<RuleMode, number> = { disabled: 0, monitor: 1, comment: 2, block: 3 };

/** Block is stricter than comment, comment than monitor, and each of them than disabled. */
export const isStricter = (mode: RuleMode, current: RuleMode | undefined): boolean =>
  current === undefined || STRICTNESS[mode] > STRICTNESS[current];

const stricter = (current: RuleMode | undefined, mode: RuleMode): RuleMode =>
  isStricter(mode, current) ? mode : (current ?? mode);

export interface RuleModeEntry {
  kind: RuleboardItemKind;
  path: string;
  mode: RuleMode;
}

/** The mode of each rule of a board: the rule's own mode wins, else the strictest mode of its rulesets. */
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

/** The mode of a rule, and the board that it comes from. */
export interface BoardMode<Board> {
  mode: RuleMode;
  board: Board;
}

/** The modes of several boards that add up: the strictest mode of a rule applies, from the first board that has it. */
export function strictestModes<Board>(
  boards: readonly { board: Board; modes: ReadonlyMap<string, RuleMode> }[],
): Map<string, BoardMode<Board>> {
  const strictest = new Map<string, BoardMode<Board>>();
  for (const { board, modes } of boards)
    for (const [id, mode] of modes) if (isStricter(mode, strictest.get(id)?.mode)) strictest.set(id, { mode, board });
  return strictest;
}

/** Scanners treat a rule without an actions list as blocking, so every mode has a list. */
const ACTIONS: Record<RuleMode, readonly string[]> = {
  disabled: [],
  monitor: [],
  comment: ['comment'],
  block: ['block'],
};

/** Metadata keys that only the server may set for scanners; those of rule authors are dropped. */
const isReservedKey = (key: string): boolean => /^(dev\.semgrep|semgrep)\./.test(key);

export interface ScanAnnotation {
  mode: RuleMode;
  board: { id: string; product: RuleboardProduct };
  baseUrl: string;
}

/** The rule as sent to a scanner, with its mode and board, and the ids that findings refer to. */
export function annotateForScan(
  { rule, source, ruleId, versionId }: LibraryRule,
  { mode, board, baseUrl }: ScanAnnotation,
): Rule {
  const url = `${baseUrl}/r/${rule.id}`;
  const authored = Object.entries(rule.metadata ?? {}).filter(([key]) => !isReservedKey(key));
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
