import type { References } from '#domain/automations/conditions/references.ts';
import type { AutomationCondition, AutomationConditionType, AutomationFilters } from '#domain/automations/shape.ts';

/** Whether conditions hold, as far as it is certain before the scan; undefined if only its findings can tell. */
export type Certainty = boolean | undefined;

/** What is known about every finding of a rule in a project before the scan. */
export interface RuleFacts {
  rule: string;
  product: string;
}

interface CompiledCondition {
  /** The answer for all rules, if it does not depend on the rule. */
  forProject: (project: string | undefined, product: string) => Certainty | 'depends';
  forRule?: (facts: RuleFacts) => boolean;
}

const regexOf = (value: string): RegExp =>
  new RegExp(
    `^${value
      .split('*')
      .map((part) => part.replace(/[\\^$.+?()[\]{}|]/g, '\\$&'))
      .join('.*')}$`,
    's',
  );

type HasAny = (values: readonly string[], references: References) => CompiledCondition;

const byProject = (projects: ReadonlySet<string>): CompiledCondition => ({
  forProject: (project) => project !== undefined && projects.has(project),
});

const byRule = (forRule: (facts: RuleFacts) => boolean): CompiledCondition => ({
  forProject: () => 'depends',
  forRule,
});

/** The conditions whose answer a rule and a project determine; all others depend on the finding. */
const CERTAIN: Partial<Record<AutomationConditionType, HasAny>> = {
  CONDITION_TYPE_REPOSITORY_ID: (values) => byProject(new Set(values)),
  CONDITION_TYPE_REPOSITORY_TAG_ID: (values, { projectsOfTag }) =>
    byProject(new Set(values.flatMap((value) => [...(projectsOfTag.get(value) ?? [])]))),
  CONDITION_TYPE_POLICY: (values, { policies }) => {
    const scopes = values.flatMap((value) => policies.get(value) ?? []);
    return {
      forProject: (project, product) =>
        scopes.some(
          ({ isOfSecrets, projects }) =>
            isOfSecrets === (product === 'secrets') &&
            (projects === undefined || (project !== undefined && projects.has(project))),
        ),
    };
  },
  CONDITION_TYPE_PRODUCT: (values) => byRule(({ product }) => values.includes(product)),
  CONDITION_TYPE_RULE_ID: (values) => {
    const exact = new Set(values);
    const globs = values.filter((value) => value.includes('*')).map(regexOf);
    return byRule(({ rule }) => exact.has(rule) || globs.some((glob) => glob.test(rule)));
  },
  CONDITION_TYPE_RULESET_ID: (values, { rulesOfRuleset }) => {
    const rules = new Set(values.flatMap((value) => rulesOfRuleset.get(value) ?? []));
    return byRule(({ rule }) => rules.has(rule));
  },
};

const not = (value: Certainty): Certainty => (value === undefined ? undefined : !value);

const UNCERTAIN: CompiledCondition = { forProject: () => undefined };

function compileCondition({ type, mode, values }: AutomationCondition, references: References): CompiledCondition {
  const compile = CERTAIN[type];
  if (!compile || (mode === 'MODE_ALL' && values.length > 1)) return UNCERTAIN;
  const { forProject, forRule } = compile(values, references);
  if (mode !== 'MODE_NONE') return { forProject, ...(forRule && { forRule }) };
  return {
    forProject: (project, product) => {
      const answer = forProject(project, product);
      return answer === 'depends' ? answer : not(answer);
    },
    ...(forRule && { forRule: (facts: RuleFacts) => !forRule(facts) }),
  };
}

const combined = (mode: AutomationFilters['mode'], parts: readonly Certainty[]): Certainty => {
  const decisive = mode !== 'MODE_ALL';
  const either = parts.includes(decisive) ? decisive : parts.includes(undefined) ? undefined : !decisive;
  return mode === 'MODE_NONE' ? not(either) : either;
};

/** Tells for the rules of one project whether the filters hold. */
export type RuleVerdict = (facts: RuleFacts) => Certainty;

/** Compiles filters once, and then for each project, so that each rule takes only a few look-ups. */
export function compileFilters(
  { mode, conditions }: AutomationFilters,
  references: References,
): (project: string | undefined, product: string) => RuleVerdict | Certainty {
  const compiled = conditions.map((condition) => compileCondition(condition, references));
  return (project, product) => {
    const known = compiled.map(({ forProject }) => forProject(project, product));
    const isDecided = known.some((answer) => answer === (mode !== 'MODE_ALL'));
    if (isDecided || !known.includes('depends'))
      return combined(
        mode,
        known.map((answer) => (answer === 'depends' ? undefined : answer)),
      );
    return (facts) =>
      combined(
        mode,
        known.map((answer, index) => (answer === 'depends' ? compiled[index]?.forRule?.(facts) : answer)),
      );
  };
}
