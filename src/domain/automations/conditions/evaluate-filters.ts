import { anyOf } from '#domain/findings/filter/text-match.ts';
import { join, type Sql, sql } from '#kernel/db/query/sql.ts';
import type { AutomationCondition, AutomationFilters, AutomationTriggerSource, MatchMode } from '../shape.ts';
import { aggregateState, aggregateStateOf, CONDITION_KINDS, type ConditionKind } from './condition-kinds.ts';
import type { CostlyFact, FindingFacts } from './finding-facts.ts';
import type { References } from './references.ts';

const kindOf = (condition: AutomationCondition): ConditionKind => {
  const kind = CONDITION_KINDS[condition.type];
  if (!kind) throw new Error(`${condition.type} cannot be evaluated.`);
  return kind;
};

const allOf = (conditions: readonly Sql[]): Sql =>
  conditions.length === 0 ? sql`true` : sql`(${join(conditions, sql` and `)})`;

const combineSql = (mode: MatchMode, parts: readonly Sql[]): Sql => {
  if (mode === 'MODE_ALL') return allOf(parts);
  return mode === 'MODE_ANY' ? anyOf(parts) : sql`(not ${anyOf(parts)})`;
};

const combine = (mode: MatchMode, parts: readonly boolean[]): boolean => {
  if (mode === 'MODE_ALL') return parts.every(Boolean);
  return mode === 'MODE_ANY' ? parts.some(Boolean) : !parts.some(Boolean);
};

function conditionSql(condition: AutomationCondition, references: References): Sql {
  const kind = kindOf(condition);
  const { mode, values } = condition;
  if (mode === 'MODE_ALL') return allOf(values.map((value) => kind.hasAny([value], references)));
  const hasAny = kind.hasAny(values, references);
  return mode === 'MODE_NONE' ? sql`(not ${hasAny})` : hasAny;
}

/** The filters as a condition on `finding`, whose columns are the facts. */
export const filtersSql = ({ mode, conditions }: AutomationFilters, references: References): Sql =>
  combineSql(
    mode,
    conditions.map((condition) => conditionSql(condition, references)),
  );

const conditionHolds = (condition: AutomationCondition, facts: FindingFacts, references: References): boolean =>
  combine(
    condition.mode,
    condition.values.map((value) => kindOf(condition).has(facts, value, references)),
  );

/** The same as a function of the facts: for tests, and for people who ask why. */
export const filtersHold = (
  { mode, conditions }: AutomationFilters,
  facts: FindingFacts,
  references: References,
): boolean =>
  combine(
    mode,
    conditions.map((condition) => conditionHolds(condition, facts, references)),
  );

export interface ConditionTruth extends AutomationCondition {
  isTrue: boolean;
  /** What the finding has. */
  seen: readonly string[];
}

/** Each condition with whether it holds, and the value that was seen. */
export const explainConditions = (
  { conditions }: AutomationFilters,
  facts: FindingFacts,
  references: References,
): ConditionTruth[] =>
  conditions.map((condition) => ({
    ...condition,
    isTrue: conditionHolds(condition, facts, references),
    seen: kindOf(condition).seen(facts),
  }));

export const costlyFactsOf = (filters: readonly AutomationFilters[]): ReadonlySet<CostlyFact> =>
  new Set(filters.flatMap(({ conditions }) => conditions.flatMap((condition) => kindOf(condition).needs ?? [])));

const OPEN_STATES = ['open', 'reviewing', 'fixing'];
const CLOSED_STATES = ['fixed', 'removed'];
const STATE_TYPES = new Set(['CONDITION_TYPE_AGGREGATE_STATE', 'CONDITION_TYPE_TRIAGE_STATE']);

const isAboutStates = ({ conditions }: AutomationFilters): boolean =>
  conditions.some(({ type }) => STATE_TYPES.has(type));

const closedStatesOf = ({ conditions }: AutomationFilters): string[] => {
  const named = conditions
    .filter(({ type, mode }) => STATE_TYPES.has(type) && mode !== 'MODE_NONE')
    .flatMap(({ values }) => values);
  return CLOSED_STATES.filter((state) => named.includes(state));
};

/**
 * A finding must still be open, unless conditions are about its state or a decision about it is the trigger. Fixed and
 * removed ones count only if a condition names that state.
 */
export function statesSql(filters: AutomationFilters, trigger: AutomationTriggerSource): Sql {
  if (!isAboutStates(filters) && trigger !== 'TRIGGER_SOURCE_ISSUE_TRIAGED')
    return sql`${aggregateState} = any(${OPEN_STATES}::text[])`;
  const excluded = CLOSED_STATES.filter((state) => !closedStatesOf(filters).includes(state));
  return sql`not (finding.state = any(${excluded}::text[]))`;
}

export function stateIsMeant(
  filters: AutomationFilters,
  trigger: AutomationTriggerSource,
  facts: FindingFacts,
): boolean {
  if (!isAboutStates(filters) && trigger !== 'TRIGGER_SOURCE_ISSUE_TRIAGED')
    return OPEN_STATES.includes(aggregateStateOf(facts));
  return !CLOSED_STATES.includes(facts.state) || closedStatesOf(filters).includes(facts.state);
}
