import type {
  FindingCriteria,
  FindingFilter,
  IsValue,
  NumberSpan,
  TimePeriod,
} from '#domain/findings/filter/finding-filter.ts';
import { combineFilters, filterOfText } from '#domain/findings/filter/query-filter.ts';
import { exactMatches } from '#domain/findings/filter/text-match.ts';
import { PRODUCTS, triageReasonOf } from '#domain/findings/shape.ts';
import { parseRef } from '#domain/scans/refs.ts';
import type { IssueFilter } from './filter-shape.ts';

const DAY_MS = 86_400_000;

const RELATIVE_MS: Record<string, number> = {
  RELATIVE_SINCE_ONE_MINUTE: 60_000,
  RELATIVE_SINCE_ONE_DAY: DAY_MS,
  RELATIVE_SINCE_ONE_WEEK: 7 * DAY_MS,
  RELATIVE_SINCE_ONE_MONTH: 30 * DAY_MS,
  RELATIVE_SINCE_THREE_MONTHS: 90 * DAY_MS,
  RELATIVE_SINCE_SIX_MONTHS: 180 * DAY_MS,
  RELATIVE_SINCE_ONE_YEAR: 365 * DAY_MS,
};

const TABS: Record<string, IsValue> = {
  ISSUE_TAB_OPEN: 'open',
  ISSUE_TAB_IGNORED: 'ignored',
  ISSUE_TAB_CLOSED: 'fixed',
  ISSUE_TAB_REVIEWING: 'reviewing',
  ISSUE_TAB_FIXING: 'fixing',
  ISSUE_TAB_PROVISIONALLY_IGNORED: 'provisionally_ignored',
};

const UNRESOLVED: readonly IsValue[] = ['open', 'reviewing', 'fixing', 'provisionally_ignored', 'ignored_by_people'];
const STATUSES: Record<string, readonly IsValue[]> = {
  ISSUE_STATUS_FIXED: ['fixed'],
  ISSUE_STATUS_MUTED: ['ignored_in_code'],
  ISSUE_STATUS_REMOVED: ['removed'],
  ISSUE_STATUS_UNRESOLVED: UNRESOLVED,
};

const AGGREGATES: Record<string, readonly IsValue[]> = {
  AGGREGATE_ISSUE_STATE_OPEN: ['open'],
  AGGREGATE_ISSUE_STATE_FIXED: ['fixed'],
  AGGREGATE_ISSUE_STATE_REMOVED: ['removed'],
  AGGREGATE_ISSUE_STATE_IGNORED_APP: ['ignored_by_people'],
  AGGREGATE_ISSUE_STATE_IGNORED_CODE: ['ignored_in_code'],
  AGGREGATE_ISSUE_STATE_REVIEWING: ['reviewing'],
  AGGREGATE_ISSUE_STATE_FIXING: ['fixing'],
  AGGREGATE_ISSUE_STATE_PROVISIONALLY_IGNORED_APP: ['provisionally_ignored'],
};

const EXPOSURES: Record<string, readonly string[]> = {
  REACHABLE: ['reachable', 'always_reachable', 'conditionally_reachable'],
  UNREACHABLE: ['unreachable'],
  UNKNOWN_EXPOSURE: ['no_reachability_analysis'],
};

const EPSS: Record<string, NumberSpan> = {
  EPSS_PROBABILITY_LOW: { below: 0.1 },
  EPSS_PROBABILITY_MEDIUM: { from: 0.1, below: 0.5 },
  EPSS_PROBABILITY_HIGH: { from: 0.5 },
  EPSS_PROBABILITY_NONE: { isNone: true },
};

const MODES: Record<string, string> = {
  'rule-board-audit': 'monitor',
  'rule-board-pr-comments': 'comment',
  'rule-board-block': 'block',
};

const SEVERITY_RANKS: Record<string, readonly number[]> = {
  SEVERITY_LOW: [0, 1],
  SEVERITY_MEDIUM: [2],
  SEVERITY_HIGH: [3],
  SEVERITY_CRITICAL: [4],
};
const CONFIDENCE_RANKS: Record<string, number> = { CONFIDENCE_LOW: 1, CONFIDENCE_MEDIUM: 2, CONFIDENCE_HIGH: 3 };
const ORIGINS: Record<string, string> = {
  SOURCE_PRO: 'pro_rules',
  SOURCE_COMMUNITY: 'community',
  SOURCE_CUSTOM: 'custom',
};
const RULE_KINDS: Record<string, string> = {
  SCA_RULE_KIND_REACHABLE: 'reachable',
  SCA_RULE_KIND_UPGRADE_ONLY: 'upgrade-only',
  SCA_RULE_KIND_MALICIOUS_DEPENDENCY: 'malicious',
  SCA_RULE_KIND_LEGACY: 'legacy',
};

type Values = readonly string[] | undefined;

const isSome = (values: Values): values is readonly string[] => values !== undefined && values.length > 0;

/** An absent or empty member is no condition. */
const some = <Criteria extends FindingCriteria>(values: Values, criteria: (values: readonly string[]) => Criteria) =>
  isSome(values) ? criteria(values) : {};

/** Enum names without their prefix, in lower case. */
const withoutPrefix = (values: readonly string[], prefix: string) =>
  values.map((value) => value.replace(prefix, '').toLowerCase());

const lookUp = <Item>(table: Record<string, Item>, values: readonly string[]) =>
  values.flatMap((value) => table[value] ?? []);

function stateCriteria(filter: IssueFilter): FindingCriteria[] {
  const { status, tab, aggregateIssueStates, triageReasons, backlogType } = filter;
  return [
    ...(isSome(status) ? [{ is: lookUp(STATUSES, status).flat() }] : []),
    ...(tab ? [{ is: lookUp(TABS, [tab]) }] : []),
    ...(isSome(aggregateIssueStates) ? [{ is: lookUp(AGGREGATES, aggregateIssueStates).flat() }] : []),
    ...(isSome(triageReasons) ? [{ reasons: triageReasons.flatMap((reason) => triageReasonOf(reason) ?? []) }] : []),
    ...(backlogType === 'ISSUE_BACKLOG_TYPE_PREPROD' ? [{ is: ['elsewhere'] as const }] : []),
  ];
}

function timeCriteria({ since, until, relativeSince, timeFilter }: IssueFilter, now: Date): FindingCriteria[] {
  const agoMs = relativeSince === undefined ? undefined : RELATIVE_MS[relativeSince];
  const period: TimePeriod = { ...(since && { from: since }), ...(until && { to: until }) };
  const recent: TimePeriod = agoMs === undefined ? {} : { from: new Date(now.getTime() - agoMs) };
  const criteriaOf = (range: TimePeriod): FindingCriteria => {
    if (timeFilter === 'TIME_FILTER_TRIAGED_AT') return { triaged: [range] };
    return timeFilter === 'TIME_FILTER_FIXED_AT' ? { fixed: [range] } : { relevantSince: [range] };
  };
  return [period, recent].filter(({ from, to }) => from ?? to).map(criteriaOf);
}

const locationCriteria = (filter: IssueFilter): FindingCriteria => ({
  ...some(filter.repositoryNames, (names) => ({ projects: exactMatches(names) })),
  ...some(filter.repositoryIds, (projectIds) => ({ projectIds })),
  ...some(filter.repositoryTags, (names) => ({ tags: exactMatches(names) })),
  ...some(filter.teamNames, (names) => ({ teams: exactMatches(names) })),
  ...some(filter.refs, (names) => ({ refs: exactMatches(names.map((name) => parseRef(name).name)) })),
  ...some(filter.repositoryRefIds, (refIds) => ({ refIds })),
  ...some(filter.filePaths, (names) => ({ paths: exactMatches(names) })),
});

const ruleCriteria = (filter: IssueFilter): FindingCriteria => ({
  ...some([...(filter.rules ?? []), ...(filter.ruleIds ?? [])], (names) => ({
    rules: exactMatches(names),
  })),
  ...some(filter.categories, (names) => ({ categories: exactMatches(names) })),
  ...some(filter.confidences, (values) => ({ confidences: lookUp(CONFIDENCE_RANKS, values) })),
  ...some(filter.severities, (values) => ({ severities: lookUp(SEVERITY_RANKS, values).flat() })),
  ...some(filter.source, (values) => ({ origins: lookUp(ORIGINS, values) })),
  ...some(filter.scaRuleKind, (values) => ({ ruleKinds: lookUp(RULE_KINDS, values) })),
});

const productCriteria = (filter: IssueFilter): FindingCriteria => ({
  ...some(filter.transitivities, (values) => ({
    transitivities: values.map((value) => value.replace('_TRANSITIVITY', '').toLowerCase()),
  })),
  ...some(filter.dependencies, (names) => ({ packages: exactMatches(names) })),
  ...some([...(filter.cves ?? []), ...(filter.advisoryIds ?? [])], (names) => ({
    advisories: exactMatches(names),
  })),
  ...some(filter.epssProbabilities, (values) => ({ epss: lookUp(EPSS, values) })),
  ...some(filter.validationStates, (values) => ({ validations: withoutPrefix(values, 'VALIDATION_STATE_') })),
  ...some(filter.secretTypes, (secretTypes) => ({ secretTypes })),
});

/** Criteria of members that constrain the same property as another member: both must hold. */
const combinedCriteria = (filter: IssueFilter): FindingCriteria[] => [
  ...(isSome(filter.issueParentIds) ? [{ ids: filter.issueParentIds }] : []),
  ...(isSome(filter.actions) ? [{ modes: withoutPrefix(filter.actions, 'MODE_') }] : []),
  ...(isSome(filter.policySlugs) ? [{ modes: lookUp(MODES, filter.policySlugs) }] : []),
  ...(isSome(filter.exposures) ? [{ reachabilities: lookUp(EXPOSURES, filter.exposures).flat() }] : []),
  ...(isSome(filter.reachabilities)
    ? [
        {
          reachabilities: withoutPrefix(filter.reachabilities, 'REACHABILITY_').map((value) =>
            value === 'unknown' ? 'no_reachability_analysis' : value,
          ),
        },
      ]
    : []),
  ...(isSome(filter.filterIssueTypes) ? [{ products: withoutPrefix(filter.filterIssueTypes, 'ISSUE_TYPE_') }] : []),
];

/** True if the member is given without the only value that issues can have. */
const excludes = (values: Values, value: string) => isSome(values) && !values.includes(value);

/** True if the filter requires data that no issue has: assistant results, rulesets or runtime facts. */
const requiresMissingData = (filter: IssueFilter) =>
  excludes(filter.aiVerdicts, 'VERDICT_NO_VERDICT') ||
  excludes(filter.repoVisibilities, 'REPOSITORY_VISIBILITY_UNKNOWN') ||
  excludes(filter.repositoryDeploymentStatuses, 'DEPLOYMENT_STATUS_UNKNOWN') ||
  excludes(filter.repositoryPublicExposures, 'PUBLIC_EXPOSURE_UNKNOWN') ||
  excludes(filter.clickToFixPrStates, 'CLICK_TO_FIX_PR_STATE_NO_PR') ||
  [filter.aiSensitivities, filter.rulesets, filter.upgradeGuidance, filter.upgradeGuidanceFilters].some(isSome) ||
  [filter.aiMemoryWillFlipVerdict, filter.aiMemoryReferenced, filter.aiMemoryRendered, filter.memoryIdInScope].some(
    (text) => text !== undefined && text !== '',
  ) ||
  filter.hasInFlightAutofixPr === true;

export interface IssueQuery {
  issueType?: string | undefined;
  issueTypes?: string[] | undefined;
  filter?: IssueFilter | undefined;
  q?: string | undefined;
}

/** Maps a request to a finding filter. `issueType` applies only if `issueTypes` is empty. */
export function findingFilterOf({ issueType, issueTypes, filter = {}, q }: IssueQuery, now: Date): FindingFilter {
  const types = isSome(issueTypes) ? issueTypes : issueType === undefined ? [] : [issueType];
  const products = types.length > 0 ? withoutPrefix(types, 'ISSUE_TYPE_') : PRODUCTS;
  const [state = {}, ...otherStates] = stateCriteria(filter);
  const fromMembers: FindingFilter = {
    ...some(filter.ids, (ids) => ({ ids })),
    products,
    ...locationCriteria(filter),
    ...ruleCriteria(filter),
    ...productCriteria(filter),
    ...state,
    and: [...otherStates, ...timeCriteria(filter, now), ...combinedCriteria(filter)],
    ...(requiresMissingData(filter) && { isImpossible: true }),
    ...(filter.includeArchived === true && { isArchived: true }),
  };
  return q === undefined ? fromMembers : combineFilters(fromMembers, filterOfText(q, now, '#/q'));
}

/** An empty list is no condition. */
const isCondition = (value: unknown) =>
  value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0);

/** True if the query has at least one condition. A bulk update without any is probably a mistake. */
export const hasCriteria = ({ filter = {}, q }: IssueQuery): boolean =>
  (q !== undefined && q.trim() !== '') || Object.values(filter).some(isCondition);
