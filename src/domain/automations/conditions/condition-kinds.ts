import { hasListEntry } from '#domain/findings/filter/finding-conditions.ts';
import { anyOf, matches, type TextMatch } from '#domain/findings/filter/text-match.ts';
import { CONFIDENCES, SEVERITIES } from '#domain/findings/shape.ts';
import { type Sql, sql } from '#kernel/db/query/sql.ts';
import type { AutomationConditionType } from '../shape.ts';
import type { CostlyFact, FindingFacts } from './finding-facts.ts';
import type { PolicyScope, References } from './references.ts';

/**
 * How one type of condition reads a finding: as SQL on `finding`, whose columns are the facts, and as a function of the
 * facts. A test compares both.
 */
export interface ConditionKind {
  /** True if the finding has one of the values. */
  hasAny(values: readonly string[], references: References): Sql;
  has(facts: FindingFacts, value: string, references: References): boolean;
  /** What the finding has, for people who ask why. */
  seen(facts: FindingFacts): readonly string[];
  needs?: CostlyFact;
}

/** A finding has at most one value. */
const word = (column: Sql, textOf: (facts: FindingFacts) => string | undefined): ConditionKind => ({
  hasAny: (values) => sql`coalesce(${column} = any(${values}::text[]), false)`,
  has: (facts, value) => textOf(facts) === value,
  seen: (facts) => [textOf(facts) ?? ''].filter((value) => value !== ''),
});

const rank = (column: Sql, names: readonly string[], rankOf: (facts: FindingFacts) => number): ConditionKind => ({
  hasAny: (values) => sql`${column} = any(${values.map((value) => names.indexOf(value))}::smallint[])`,
  has: (facts, value) => names.indexOf(value) === rankOf(facts),
  seen: (facts) => [names[rankOf(facts)] ?? ''],
});

const flag = (column: Sql, isTrue: (facts: FindingFacts) => boolean): ConditionKind =>
  word(sql`(${column})::text`, (facts) => String(isTrue(facts)));

/** Nothing of this kind is known about findings yet. */
const unknown = (value?: string): ConditionKind => word(sql`${value ?? null}::text`, () => value);

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

const isMatch = (text: string, match: TextMatch): boolean =>
  match.kind === 'exact'
    ? text === match.value
    : new RegExp(`^${match.parts.map(escaped).join('.*')}$`, 's').test(text);

const textMatch = (value: string): TextMatch =>
  value.includes('*') ? { kind: 'glob', parts: value.split('*') } : { kind: 'exact', value };

/** A path without wildcards is a file or a folder. */
const pathMatches = (value: string): TextMatch[] => {
  if (value.includes('*')) return [textMatch(value)];
  const name = value.replace(/^\.?\/+|\/+$/g, '');
  return [
    { kind: 'exact', value: name },
    { kind: 'glob', parts: [`${name}/`, ''] },
  ];
};

const branchMatch = (value: string): TextMatch => textMatch(value.replace(/^refs\/heads\//, ''));

const pattern = (
  column: Sql,
  textsOf: (facts: FindingFacts) => readonly string[],
  matchesOf: (value: string) => TextMatch[],
): ConditionKind => ({
  hasAny: (values) => matches(column, values.flatMap(matchesOf)),
  has: (facts, value) => textsOf(facts).some((text) => matchesOf(value).some((match) => isMatch(text, match))),
  seen: textsOf,
});

const entries = (column: Sql, listOf: (facts: FindingFacts) => readonly string[]): ConditionKind => ({
  hasAny: hasListEntry(column),
  has: (facts, value) =>
    listOf(facts).some((entry) => entry === value || entry.startsWith(`${value}:`) || entry.startsWith(`${value} `)),
  seen: listOf,
});

const advisoriesOf = ({ advisory, advisories }: FindingFacts) => [
  ...new Set([...(advisory === undefined ? [] : [advisory]), ...advisories]),
];

const vulnerabilityId: ConditionKind = {
  hasAny: (values) => {
    const lower = values.map((value) => value.toLowerCase());
    return sql`(coalesce(lower(finding.advisory) = any(${lower}::text[]), false) or exists (
      select from unnest(finding.advisories) as other where lower(other) = any(${lower}::text[])))`;
  },
  has: (facts, value) => advisoriesOf(facts).some((one) => one.toLowerCase() === value.toLowerCase()),
  seen: advisoriesOf,
};

const EPSS_CATEGORIES: Record<string, { sql: Sql; holds: (score: number | undefined) => boolean }> = {
  high: { sql: sql`finding.epss >= 0.5`, holds: (score = -1) => score >= 0.5 },
  medium: { sql: sql`finding.epss >= 0.1 and finding.epss < 0.5`, holds: (score = -1) => score >= 0.1 && score < 0.5 },
  low: { sql: sql`finding.epss < 0.1`, holds: (score = 1) => score < 0.1 },
  none: { sql: sql`finding.epss is null`, holds: (score) => score === undefined },
};
const epssCategoryOf = ({ epss }: FindingFacts) =>
  Object.keys(EPSS_CATEGORIES).find((name) => EPSS_CATEGORIES[name]?.holds(epss)) ?? 'none';

const isEpssCategory = (value: string) => sql`coalesce(${EPSS_CATEGORIES[value]?.sql ?? sql`false`}, false)`;

const epssCategory: ConditionKind = {
  hasAny: (values) => sql`(finding.product = 'sca' and ${anyOf(values.map(isEpssCategory))})`,
  has: (facts, value) => facts.product === 'sca' && epssCategoryOf(facts) === value,
  seen: (facts) => (facts.product === 'sca' ? [epssCategoryOf(facts)] : []),
};

/** Like the status of a finding, with the two ways to ignore it apart. */
export function aggregateStateOf({ state, triage_state: triage, is_muted: isMuted }: FindingFacts): string {
  if (state === 'fixed' || state === 'removed') return state;
  if (triage === 'ignored') return 'ignored_app';
  if (isMuted) return 'ignored_code';
  if (triage === 'provisionally_ignored') return 'provisionally_ignored_app';
  return triage === 'reviewing' || triage === 'fixing' ? triage : 'open';
}

export const aggregateState = sql`case when finding.state in ('fixed', 'removed') then finding.state
  when finding.triage_state = 'ignored' then 'ignored_app' when finding.is_muted then 'ignored_code'
  when finding.triage_state = 'provisionally_ignored' then 'provisionally_ignored_app'
  when finding.triage_state in ('reviewing', 'fixing') then finding.triage_state else 'open' end`;

const storedTriageState = (value: string) => (value === 'open' ? 'untriaged' : value);

const triageState: ConditionKind = {
  hasAny: (values) => sql`(finding.triage_state = any(${values.map(storedTriageState)}::text[])
    or ${values.includes('fixed')}::boolean and finding.state = 'fixed')`,
  has: (facts, value) =>
    facts.triage_state === storedTriageState(value) || (value === 'fixed' && facts.state === 'fixed'),
  seen: ({ triage_state: state }) => [state],
};

const isOfScope = ({ product, project_id: project }: FindingFacts, { isOfSecrets, projects }: PolicyScope) =>
  (product === 'secrets') === isOfSecrets && (projects === undefined || projects.has(project));

const policy: ConditionKind = {
  hasAny: (values, { policies }) =>
    anyOf(
      values
        .flatMap((value) => policies.get(value) ?? [])
        .map(
          ({ isOfSecrets, projects }) =>
            sql`((finding.product = 'secrets') = ${isOfSecrets}::boolean and ${
              projects === undefined ? sql`true` : sql`finding.project_id = any(${[...projects]}::bigint[])`
            })`,
        ),
    ),
  has: (facts, value, { policies }) => (policies.get(value) ?? []).some((scope) => isOfScope(facts, scope)),
  seen: ({ project_id: project }) => [`project ${project}`],
};

const tag: ConditionKind = {
  hasAny: (values, { projectsOfTag }) => {
    const ids = values.flatMap((value) => [...(projectsOfTag.get(value) ?? [])]);
    return sql`finding.project_id = any(${ids}::bigint[])`;
  },
  has: ({ project_id: project }, value, { projectsOfTag }) => projectsOfTag.get(value)?.has(project) ?? false,
  seen: ({ project_id: project }) => [`project ${project}`],
};

const ruleset: ConditionKind = {
  hasAny: (values, { rulesOfRuleset }) =>
    sql`finding.rule = any(${values.flatMap((value) => rulesOfRuleset.get(value) ?? [])}::text[])`,
  has: ({ rule }, value, { rulesOfRuleset }) => rulesOfRuleset.get(value)?.includes(rule) ?? false,
  seen: ({ rule }) => [rule],
};

const onlyFor = (product: string, kind: ConditionKind): ConditionKind => ({
  ...kind,
  hasAny: (values, references) => sql`(finding.product = ${product} and ${kind.hasAny(values, references)})`,
  has: (facts, value, references) => facts.product === product && kind.has(facts, value, references),
  seen: (facts) => (facts.product === product ? kind.seen(facts) : []),
});

const reachabilityOf = ({ reachability }: FindingFacts) =>
  reachability?.replaceAll(' ', '_') ?? 'no_reachability_analysis';

/** All types of conditions; undefined for the one that cannot be evaluated. */
export const CONDITION_KINDS: Record<AutomationConditionType, ConditionKind | undefined> = {
  CONDITION_TYPE_REPOSITORY_ID: word(sql`finding.project_id::text`, (facts) => facts.project_id),
  CONDITION_TYPE_REPOSITORY_TAG_ID: tag,
  CONDITION_TYPE_PRIMARY_REF: flag(sql`finding.is_on_primary`, (facts) => facts.is_on_primary),
  CONDITION_TYPE_PATH: pattern(sql`finding.path`, ({ path }) => [path], pathMatches),
  CONDITION_TYPE_REF: {
    ...pattern(
      sql`name`,
      ({ refs }) => refs,
      (value) => [branchMatch(value)],
    ),
    hasAny: (values) =>
      sql`exists (select from unnest(finding.refs) as name where ${matches(sql`name`, values.map(branchMatch))})`,
    needs: 'refs',
  },
  CONDITION_TYPE_SEVERITY: rank(sql`finding.severity`, SEVERITIES, (facts) => facts.severity),
  CONDITION_TYPE_CONFIDENCE: rank(sql`finding.confidence`, CONFIDENCES, (facts) => facts.confidence),
  CONDITION_TYPE_PRODUCT: word(sql`finding.product`, (facts) => facts.product),
  CONDITION_TYPE_POLICY: policy,
  CONDITION_TYPE_REACHABILITY: onlyFor(
    'sca',
    word(sql`coalesce(replace(finding.reachability, ' ', '_'), 'no_reachability_analysis')`, reachabilityOf),
  ),
  CONDITION_TYPE_TRANSITIVITY: onlyFor(
    'sca',
    word(sql`coalesce(finding.transitivity, 'unknown')`, (facts) => facts.transitivity ?? 'unknown'),
  ),
  CONDITION_TYPE_UPGRADE_AVAILABILITY: flag(sql`finding.has_fix`, (facts) => facts.has_fix),
  CONDITION_TYPE_EPSS_CATEGORY: epssCategory,
  CONDITION_TYPE_VALIDATION_STATE: onlyFor(
    'secrets',
    word(sql`coalesce(finding.validation, 'no_validator')`, (facts) => facts.validation ?? 'no_validator'),
  ),
  CONDITION_TYPE_CVE: vulnerabilityId,
  CONDITION_TYPE_REPOSITORY_VISIBILITY: unknown('unknown'),
  CONDITION_TYPE_SECRET_TYPE: {
    ...word(sql`lower(finding.secret_type)`, (facts) => facts.secret_type),
    hasAny: (values) =>
      sql`coalesce(lower(finding.secret_type) = any(${values.map((value) => value.toLowerCase())}::text[]), false)`,
    has: (facts, value) => facts.secret_type?.toLowerCase() === value.toLowerCase(),
  },
  CONDITION_TYPE_AI_VERDICT: unknown('no_verdict'),
  CONDITION_TYPE_AI_TAG: unknown(),
  CONDITION_TYPE_AGGREGATE_STATE: word(aggregateState, aggregateStateOf),
  CONDITION_TYPE_HAS_EXTERNAL_TICKET: flag(sql`finding.has_ticket`, (facts) => facts.has_ticket),
  CONDITION_TYPE_VULNERABILITY_ID: vulnerabilityId,
  CONDITION_TYPE_UNKNOWN: undefined,
  CONDITION_TYPE_MALICIOUS_DEPENDENCY: flag(sql`finding.is_malicious`, (facts) => facts.is_malicious),
  CONDITION_TYPE_RULE_ID: pattern(
    sql`finding.rule`,
    ({ rule }) => [rule],
    (value) => [textMatch(value)],
  ),
  CONDITION_TYPE_RULESET_ID: ruleset,
  CONDITION_TYPE_WORKFLOW_ID: unknown(),
  CONDITION_TYPE_VULNERABILITY_CLASS: {
    hasAny: (values) => sql`exists (select from unnest(finding.classes) as class
      where lower(class) = any(${values.map((value) => value.toLowerCase())}::text[]))`,
    has: ({ classes }, value) => classes.some((one) => one.toLowerCase() === value.toLowerCase()),
    seen: ({ classes }) => classes,
    needs: 'classes',
  },
  CONDITION_TYPE_TRIAGE_STATE: triageState,
  CONDITION_TYPE_CWE: entries(sql`finding.cwes`, ({ cwes }) => cwes),
  CONDITION_TYPE_OWASP: entries(sql`finding.owasps`, ({ owasps }) => owasps),
  CONDITION_TYPE_BREAKING_CHANGE: unknown('false'),
  CONDITION_TYPE_FULL_SCAN: flag(sql`finding.is_full_scan`, (facts) => facts.is_full_scan),
};
