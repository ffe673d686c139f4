import type { AutomationAction, AutomationCondition, AutomationFilters } from '#domain/automations/shape.ts';
import type { RuleboardProduct, RuleMode } from '#domain/policies/shape.ts';
import { isStricter, type RuleModeEntry, ruleIdOf } from '#domain/rules/rules.ts';
import { shippedRules } from '#domain/rules/shipped-rules.ts';
import { packPathOf } from './detection-bundle.ts';
import { sortedUnique } from './state-version.ts';

/** A board with its items and, unless it is a default one, its projects. */
export interface MigratedBoard {
  name: string;
  product: RuleboardProduct;
  isDefault: boolean;
  items: readonly RuleModeEntry[];
  projects: readonly { id: string; name: string }[];
}

/** A remediation policy that does what the modes of a board did. */
export interface BoardPolicy {
  name: string;
  description: string;
  filters: AutomationFilters;
  actions: Pick<AutomationAction, 'type' | 'config'>[];
}

/** The strictest mode of each entry, by its canonical path. */
function strictestByPath(items: readonly RuleModeEntry[], pathOf: (path: string) => string): Map<string, RuleMode> {
  const modes = new Map<string, RuleMode>();
  for (const { path, mode } of items) if (isStricter(mode, modes.get(pathOf(path)))) modes.set(pathOf(path), mode);
  return modes;
}

/** The modes of a board's rules and of its rulesets, by their canonical paths. */
export const modesOfBoard = (items: readonly RuleModeEntry[]) => ({
  rules: strictestByPath(
    items.filter(({ kind }) => kind === 'rule'),
    ruleIdOf,
  ),
  packs: strictestByPath(
    items.filter(({ kind }) => kind === 'ruleset'),
    packPathOf,
  ),
});

const pathsIn = (modes: ReadonlyMap<string, RuleMode>, isMeant: (mode: RuleMode) => boolean): string[] =>
  sortedUnique([...modes].flatMap(([path, mode]) => (isMeant(mode) ? [path] : [])));

const anyOf = (type: AutomationCondition['type'], values: readonly string[]): AutomationCondition => ({
  type,
  mode: 'MODE_ANY',
  values: [...values],
});

const PRODUCTS: Record<RuleboardProduct, readonly string[]> = { sast: ['sast', 'sca'], secrets: ['secrets'] };

const ACTIONS: Record<'comment' | 'block', BoardPolicy['actions']> = {
  comment: [{ type: 'ACTION_TYPE_PR_COMMENT', config: {} }],
  block: [
    { type: 'ACTION_TYPE_PR_COMMENT', config: {} },
    { type: 'ACTION_TYPE_BLOCK', config: {} },
  ],
};

/** Leaves room for what is added to the name of a board. */
const MAX_BOARD_NAME = 100;

const DESCRIPTION = 'Made from a ruleboard when the deployment was migrated to Unified Policies.';

/** A condition on rules treats this as a wildcard, but on a board it was part of an id that no rule has. */
const isPlain = (rule: string): boolean => !rule.includes('*');

/**
 * The policies for the rules and rulesets of a board that comment or block: one for its rules, and one for its rulesets
 * without the rules for which the board has another mode, because the mode of a rule wins over that of its ruleset.
 */
export function policiesOfBoard({ name, product, isDefault, items, projects }: MigratedBoard): BoardPolicy[] {
  if (!isDefault && projects.length === 0) return [];
  const { rules, packs } = modesOfBoard(items);
  const scope = [
    anyOf('CONDITION_TYPE_PRODUCT', PRODUCTS[product]),
    ...(isDefault
      ? []
      : [
          anyOf(
            'CONDITION_TYPE_REPOSITORY_ID',
            projects.map(({ id }) => id),
          ),
        ]),
  ];
  const policy = (mode: 'comment' | 'block', suffix: string, conditions: AutomationCondition[]): BoardPolicy => ({
    name: `${[...name].slice(0, MAX_BOARD_NAME).join('')}: ${mode}${suffix}`,
    description: DESCRIPTION,
    filters: { mode: 'MODE_ALL', conditions: [...scope, ...conditions] },
    actions: ACTIONS[mode],
  });
  return (['block', 'comment'] as const).flatMap((mode) => {
    const ownRules = pathsIn(rules, (one) => one === mode).filter(isPlain);
    const ownPacks = pathsIn(packs, (one) => one === mode);
    const otherwise = pathsIn(rules, (one) => one !== mode).filter((rule) => shippedRules().has(rule));
    const without: AutomationCondition[] =
      otherwise.length === 0 ? [] : [{ type: 'CONDITION_TYPE_RULE_ID', mode: 'MODE_NONE', values: otherwise }];
    return [
      ...(ownRules.length === 0 ? [] : [policy(mode, '', [anyOf('CONDITION_TYPE_RULE_ID', ownRules)])]),
      ...(ownPacks.length === 0
        ? []
        : [policy(mode, ' (rulesets)', [anyOf('CONDITION_TYPE_RULESET_ID', ownPacks), ...without])]),
    ];
  });
}

const VALIDATION_STATES = { invalid: 'confirmed_invalid', error: 'validation_error' } as const;

/** The policies for secrets that are invalid, or that could not be validated, if they comment or block. */
export const policiesOfValidation = (
  chosen: Record<keyof typeof VALIDATION_STATES, 'monitor' | 'comment' | 'block'>,
): BoardPolicy[] =>
  (['invalid', 'error'] as const).flatMap((state) => {
    const mode = chosen[state];
    if (mode === 'monitor') return [];
    return [
      {
        name: `Secrets, ${state === 'invalid' ? 'invalid' : 'validation failed'}: ${mode}`,
        description: DESCRIPTION,
        filters: {
          mode: 'MODE_ALL',
          conditions: [
            anyOf('CONDITION_TYPE_PRODUCT', PRODUCTS.secrets),
            anyOf('CONDITION_TYPE_VALIDATION_STATE', [VALIDATION_STATES[state]]),
          ],
        },
        actions: ACTIONS[mode],
      },
    ];
  });
